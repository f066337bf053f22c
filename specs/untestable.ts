/** The statements that nobody can check from outside, each with its reason. */
export const untestable: Record<string, string> = {
  'S5.2': "A person logs in with the vendor's command-line tool, and nothing of that is shown on the wire.",
  'S5.6': 'The exchange by the command-line tool goes through a program of the vendor, not through the API.',
  'S5.7': 'How a client of the registry gets its token is not shown on the wire.',
  'S9.6': 'A deprecation window is a promise about the future, and no answer shows whether it is kept.',
  'S9.7': 'The protobuf definitions are published elsewhere, not by the server that is examined.',
}
