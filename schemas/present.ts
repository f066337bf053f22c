/** The members that are there: those that may be undefined become optional. */
export type Present<T> = { [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name] } & {
  [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined>
}

/** An object without the members that are undefined, so that they are absent from what is written. */
export function present<T extends object>(members: T): Present<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Present<T>
}
