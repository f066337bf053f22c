/** A numbered promise of the contract: its id ('S4.23'), its words, and the number of its section ('4'). */
export type Statement = { id: string; text: string; section: string }

/** How an unclear statement is read: its id ('R14'), the ids it applies to, and its words. */
export type Ruling = { id: string; cites: string[]; text: string }

/** The contract as data, in the order of `specs/contract.md`. */
export type Contract = {
  sections: { number: string; title: string }[]
  statements: Map<string, Statement>
  rulings: Map<string, Ruling>
  notShown: string[]
}

/** Reads the text of `specs/contract.md`; throws if an id is used twice or outside its section. */
export function readContract(markdown: string): Contract {
  const contract: Contract = { sections: [], statements: new Map(), rulings: new Map(), notShown: [] }
  let heading = ''
  for (const line of markdown.split(/\r?\n/)) {
    const title = /^## (.+?)\s*$/.exec(line)?.[1]
    if (title !== undefined) {
      heading = title
      const numbered = /^(\d+) (.+)$/.exec(title)
      if (numbered) contract.sections.push({ number: numbered[1]!, title: numbered[2]! })
    } else readItem(contract, heading, line)
  }
  return contract
}

/** The ids of statements and rulings in a requirement's citation, such as 'S4.8, R15', each once. */
export function statementsCited(citation: string): string[] {
  return [...new Set(citation.match(/\b(?:S\d+\.\d+|R\d+)\b/g) ?? [])]
}

function readItem(contract: Contract, heading: string, line: string): void {
  const statement = /^- \*\*(S(\d+)\.\d+)\*\* (.+)$/.exec(line)
  const ruling = /^- \*\*(R\d+)\*\* (?:\(((?:[SR][\d.]+)(?:, [SR][\d.]+)*)\) )?(.+)$/.exec(line)
  if (statement) {
    const [, id = '', section = '', text = ''] = statement
    if (!heading.startsWith(`${section} `)) throw new Error(`${id} is under '${heading}', not in section ${section}.`)
    once(contract.statements, id, { id, text, section })
  } else if (ruling) {
    const [, id = '', cites = '', text = ''] = ruling
    if (heading !== 'Rulings') throw new Error(`${id} is under '${heading}', not under 'Rulings'.`)
    once(contract.rulings, id, { id, cites: statementsCited(cites), text })
  } else if (heading === 'Not shown' && line.startsWith('- ')) contract.notShown.push(line.slice(2))
}

function once<T>(map: Map<string, T>, id: string, value: T): void {
  if (map.has(id)) throw new Error(`${id} is twice in the contract.`)
  map.set(id, value)
}
