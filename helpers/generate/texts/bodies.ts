/** Bodies that are not JSON (R37), around a name. */
export const malformed: readonly ((name: string) => string)[] = [
  (name) => `{"name": "${name}",}`,
  (name) => `{"name": "${name}"`,
  (name) => `{'name': '${name}'}`,
  (name) => `{name: "${name}"}`,
  (name) => `{"name": "${name}" "description": "x"}`,
  (name) => `{"name" = "${name}"}`,
  (name) => `["name": "${name}"]`,
  (name) => `{"name": "${name}", "description": NaN}`,
  (name) => `{"name": "${name}" /* a name */}`,
  (name) => `name=${name}`,
  (name) => `{"name": "${name}\n"`,
  // what lenient readers take: control characters, unknown escapes, comments, and numbers of programming languages
  (name) => `{"name": "${name}", "description": "a\tb"}`,
  (name) => `{"name": "${name}", "description": "a\nb"}`,
  (name) => `{"name": "${name}", "description": "a\\qb"}`,
  (name) => `{"name": "${name}", "description": "a\\x41b"}`,
  (name) => `{"name": "${name}" // a name\n}`,
  (name) => `{"name": "${name}", "number": 01}`,
  (name) => `{"name": "${name}", "number": 0x1f}`,
  (name) => `{"name": "${name}", "number": +1}`,
  (name) => `{"name": "${name}", "flag": True}`,
  (name) => `{"name": "${name}",, "description": "x"}`,
]

/** JSON with both a bad name and a good one: whichever counts, a bad one is never kept (S2.6). */
export const twofold: readonly ((name: string) => string)[] = [
  (name) => `{"name": "${name}", "name": "Bad@${name}"}`,
  (name) => `{"name": "Bad@${name}", "name": "${name}"}`,
]
