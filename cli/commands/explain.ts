import type { Command } from 'commander'
import type { Header } from '../../helpers/requirement/header.ts'
import { matchesGlob } from '../../helpers/requirement/selection.ts'
import { didYouMean } from '../../helpers/settings/did-you-mean.ts'
import type { Fault } from '../../reference/fault.ts'
import { saidOf } from '../../reports/model/finding.ts'
import { statementsCited } from '../../reports/text/contract.ts'
import { command, curl, shellQuote } from '../../reports/text/curl.ts'
import { visible } from '../../reports/text/visible-text.ts'
import { counted } from '../../schemas/counted.ts'
import { present } from '../../schemas/present.ts'
import type { Requirement } from '../../schemas/types.ts'
import { collectHeaders, renamed } from '../input/collect.ts'
import { contractOfSuite, suite } from '../input/package.ts'
import { Refused } from '../input/refused.ts'

/** What is known of one requirement. */
interface Explained {
  id: string
  level: string
  profile: string
  says: string
  judged: string
  /** The words of the contract that the case checks. */
  quote?: string
  /** The statements and rulings that it comes from, in the contract's words. */
  contract: { id: string; text: string }[]
  /** Its outcome on the reference. */
  sound?: Requirement
  /** The fault that proves it, and the outcome there. */
  fault?: { name: string; requirement?: Requirement }
}

/** Adds the verb `explain`. */
export function addExplain(program: Command): void {
  program
    .command('explain')
    .description('explain what a requirement means and how it is judged, and show it pass and fail')
    .argument('<id>', 'the id of a requirement')
    .option('--no-run', 'leave out what the embedded reference shows')
    .option('--json', 'as a JSON object')
    .addHelpText(
      'after',
      `
The calls go to the embedded reference, once as it is and once with a fault that this requirement finds; no target is
called. 'serve --fault' starts that faulty server for a longer look.

Example:
  ${suite.name} explain list.skip.echo`,
    )
    .action(explainCommand)
}

/** `explain`: prints a requirement with its statement, its rulings, and a passing and a failing call. */
async function explainCommand(id: string, { run, json }: { run: boolean; json?: boolean }): Promise<void> {
  const headers = await collectHeaders()
  const header = headers.find((one) => one.id === id) ?? headers.find(({ formerly }) => formerly?.includes(id))
  if (header === undefined) {
    const meant = didYouMean(
      id,
      headers.map((one) => one.id),
    )
    throw new Refused(
      `No requirement is called '${id}'. ${meant ? `Did you mean '${meant}'?` : `To see all: ${command} list`}`,
    )
  }
  for (const remark of renamed([id], headers)) process.stderr.write(`${remark}\n`)
  const explained = await explain(header, run)
  process.stdout.write(json ? `${JSON.stringify(explained, null, 2)}\n` : textOf(explained))
}

async function explain(header: Header, run: boolean): Promise<Explained> {
  const { id, level, profile = 'core', says, statement, quote } = header
  const { statements, rulings } = contractOfSuite()
  const cited = statementsCited(statement).flatMap((name) => statements.get(name) ?? rulings.get(name) ?? [])
  const fault = await narrowest(id)
  const alone = run && header.alone !== 'whole run'
  const sound = alone ? await shown(id) : undefined
  const requirement = alone && fault ? await shown(id, fault) : undefined
  return present({
    id,
    level,
    profile,
    says,
    judged: judgedBy(header),
    quote,
    contract: cited.map(({ id: name, text }) => ({ id: name, text })),
    sound,
    fault: fault && present({ name: fault.name, requirement }),
  })
}

const meaning: Record<Header['level'], string> = {
  must: 'A breach fails the requirement and makes the verdict nonconformant.',
  should: 'A breach is a warning and does not change the verdict.',
  observe: 'The contract leaves it open: what the server does is recorded and never fails.',
}

function judgedBy({ level, alone, restsOn }: Header): string {
  return [
    meaning[level],
    ...(alone === 'whole run'
      ? ['It is judged at the end over all calls of a run: alone it has nothing to judge.']
      : []),
    ...(alone === true ? ['Nothing else runs at the same time.'] : []),
    ...(restsOn?.length ? [`If ${restsOn.join(' or ')} fails, it is blocked.`] : []),
  ].join(' ')
}

/** The fault that claims fewest requirements among those that this one finds; a name counts before a glob. */
async function narrowest(id: string): Promise<Fault | undefined> {
  const { faults } = await import('../../reference/faults.ts')
  // a fault that any row of the model may find says nothing of one
  const isVague = (glob: string) => /^model\..*\*$/.test(glob)
  const narrow = ({ turnsRed }: Fault) => turnsRed.filter((glob) => !isVague(glob) && matchesGlob(id, glob))
  const width = (fault: Fault) => fault.turnsRed.length + (narrow(fault).includes(id) ? 0 : 100)
  return faults.filter((fault) => narrow(fault).length > 0).sort((a, b) => width(a) - width(b))[0]
}

async function shown(id: string, fault?: Fault): Promise<Requirement | undefined> {
  const { runSuite } = await import('../run/run-suite.ts')
  const { report } = await runSuite({
    values: { RMAPI_SEED: '1' },
    selection: { only: [id], skip: [], profiles: [] },
    allExchanges: true,
    ...(fault ? { embedded: { rules: fault.rules } } : {}),
  })
  return report.requirements.find((one) => one.id === id)
}

function textOf({ id, level, profile, says, quote, judged, contract, sound, fault }: Explained): string {
  const failing = fault?.requirement
  const at = failing === undefined ? -1 : meantIn(failing)
  const lines = [
    `${id} (${level}, ${profile})`,
    `  ${says}`,
    ...(quote === undefined ? [] : [`  contract: "${quote}"`]),
    '',
    ...contract.map(({ id: name, text }) => `${name.padEnd(6)} ${text}`),
    '',
    `Judged  ${judged}`,
    ...(sound ? ['', 'On the reference:', ...cameOut(sound, at)] : []),
    ...(fault
      ? [
          '',
          `With the fault '${fault.name}':`,
          ...(failing ? cameOut(failing, at) : []),
          `  serve    ${command} serve --fault ${shellQuote(fault.name)}`,
        ]
      : [
          '',
          level === 'observe' ? 'No fault proves it: it never fails.' : 'No fault of the suite is meant for it alone.',
        ]),
  ]
  return `${lines.join('\n')}\n`
}

/** The place of the call that a failure names, among those that the case is about; -1 where it names none. */
function meantIn({ where = '', exchanges = [] }: Requirement): number {
  const named = Number(/^exchange (\d+)/.exec(where)?.[1])
  return exchanges.filter(({ phase }) => phase === 'act').findIndex(({ number }) => number === named)
}

/** The call that decides a claim, the last one unless the failure names another, and its outcome. */
function cameOut(requirement: Requirement, at: number): string[] {
  const { outcome, observed, where, exchanges = [], requests } = requirement
  const { expected, got, note } = saidOf(requirement)
  const acted = exchanges.filter(({ phase }) => phase === 'act')
  const last = (acted.length > 0 ? acted : exchanges).at(at)
  const line = (name: string, text: string | undefined) =>
    text === undefined ? [] : [`  ${name.padEnd(8)} ${visible(text, 400)}`]
  const came = last?.response
  return [
    ...line('outcome', `${outcome}, ${counted(requests, 'call')}`),
    ...line('seen', observed),
    ...line('expected', expected),
    ...line('got', got ?? (expected === undefined ? note : undefined)),
    ...line('where', where),
    ...(last ? [`  curl     ${curl(last)}`] : []),
    ...line('answer', came ? `${came.status} ${came.body}` : last?.silence),
  ]
}
