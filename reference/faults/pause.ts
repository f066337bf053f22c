/** Resolves after so many milliseconds. */
export const pause = (milliseconds: number) => new Promise((resume) => setTimeout(resume, milliseconds))
