import { type CheckOptions, rules } from '../../src/index.ts'
import { isNamed, type Mutant } from './mutants.ts'
import { partsOf } from './named.ts'

/** A selection of rules and operations, as options of the checker. */
export interface Selection extends Pick<CheckOptions, 'only' | 'operations'> {
  readonly name: 'own operations' | 'some operations' | 'deliveries' | 'everything' | 'recorded rule'
  /** Some mutants differ from the right service only there. */
  readonly isOverHttp?: boolean
}

/** What a run named, and what it took. */
export interface RunResult {
  /** As by `namedBy`. */
  readonly named: readonly string[]
  readonly requests: number
  /** CPU time, with that of the service. */
  readonly seconds: number
}
export type Run = (selection: Selection) => Promise<RunResult>

/** What the checker names of a mutant or variation. */
export interface Entry extends RunResult {
  readonly id: string
  /** The selection of these findings: of a mutant, the first one that names it. */
  readonly by: Selection['name']
  /** If everything had to be tried again, because nothing named the mutant. */
  readonly tries?: 2
}

/** How a mutant or variation compares with its entry. Only `regression` is a defect. */
export interface Comparison {
  readonly outcome: 'same' | 'changed' | 'regression'
  /** What differs. */
  readonly texts: readonly string[]
}

const EVERYTHING: Selection = { name: 'everything', isOverHttp: true }
const OF_DELIVERIES = rules.map(({ id }) => id).filter((id) => id.startsWith('deliveries-'))
/** Operations that take a tenth of the time of all, for a mutant that is wrong everywhere. */
const SOME = [
  'signIn',
  'listUsers',
  'getUser',
  'createWebhook',
  'getWebhook',
  'listWebhooks',
  'deleteWebhook',
]
const OTHERS = [...new Set(rules.map(({ phase }) => phase))].filter(
  (phase) => phase !== 'deliveries' && phase !== 'random',
)

/** Tries the operations of a mutant, then everything, and that again if it names nothing. */
export async function recordMutant(mutant: Mutant, run: Run): Promise<Entry> {
  const { id } = mutant
  const first = firstSelection(mutant)
  const own = await run(first)
  if (isNamed(mutant, own.named)) return { id, by: first.name, ...own }
  const all = await run(EVERYTHING)
  if (all.named.length > 0) return { id, by: EVERYTHING.name, ...all }
  return { id, by: EVERYTHING.name, tries: 2, ...(await run(EVERYTHING)) }
}

/** Records a correct service. */
export async function recordCorrect(id: string, run: Run): Promise<Entry> {
  return { id, by: EVERYTHING.name, ...(await run(EVERYTHING)) }
}

/** Runs a recorded rule at its operation, and more only if that does not name the mutant again. */
export async function verifyMutant(mutant: Mutant, entry: Entry, run: Run): Promise<Comparison> {
  if (entry.named.length === 0) return { outcome: 'same', texts: [] }
  const wasNamed = isNamed(mutant, entry.named)
  const selections = [...recordedSelection(mutant, entry), firstSelection(mutant), EVERYTHING, EVERYTHING]
  for (const selection of selections) {
    const { named } = await run(selection)
    if (wasNamed ? !isNamed(mutant, named) : named.length === 0) continue
    if (named.some((it) => entry.named.includes(it))) return { outcome: 'same', texts: [] }
    return { outcome: 'changed', texts: differences(entry.named, named) }
  }
  return { outcome: 'regression', texts: differences(entry.named, []) }
}

/** A correct service may get other deviations, but no failure that it did not get before. */
export function compareCorrect(named: readonly string[], { named: before }: Entry): Comparison {
  const texts = differences(before, named)
  if (texts.some((it) => it.startsWith('new: failure'))) return { outcome: 'regression', texts }
  return { outcome: texts.length > 0 ? 'changed' : 'same', texts }
}

function differences(before: readonly string[], now: readonly string[]): string[] {
  const added = now.filter((it) => !before.includes(it))
  const removed = before.filter((it) => !now.includes(it))
  return [...added.map((it) => `new: ${it}`), ...removed.map((it) => `no longer: ${it}`)]
}

/** The selection that is tried first: the operations of the mutant, or its deliveries. */
export function firstSelection({ operations, isOfDeliveries }: Mutant): Selection {
  if (isOfDeliveries) return { name: 'deliveries', only: OF_DELIVERIES }
  if (operations.length === 0) return { name: 'some operations', only: OTHERS, operations: SOME }
  return { name: 'own operations', only: OTHERS, operations }
}

/** The recorded rule that sends least: a rule that judges every response needs the requests of others. */
function recordedSelection(mutant: Mutant, { named, by }: Entry): Selection[] {
  const phases = new Map(rules.map(({ id, phase }) => [id, phase]))
  const [cheapest] = named
    .filter((it) => phases.has(partsOf(it).rule) && isNamed(mutant, [it]))
    .sort((a, b) => costOf(a) - costOf(b))
  if (!cheapest) return []
  const { rule, operation } = partsOf(cheapest)
  const isOwn = !mutant.isOfDeliveries && !/^(all$|on[A-Z])/.test(operation)
  return [
    {
      name: 'recorded rule',
      only: [rule],
      isOverHttp: by === EVERYTHING.name,
      ...(isOwn && { operations: [operation] }),
    },
  ]

  function costOf(line: string): number {
    const { kind, rule } = partsOf(line)
    return (phases.get(rule) === 'responses' ? 2 : 0) + (kind === 'failure' ? 0 : 1)
  }
}
