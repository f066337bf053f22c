/** Shared by the tests of command-line. */
export const lines = (text: string) => text.trimEnd().split('\n')
