import type { Behaviour } from '@partner-payments/spec/behaviour'
import { keepBehaviour } from './changed-copy.ts'
import { type Contract, questionsIn, readContract, withAliases } from './contract.ts'
import { nodeOf } from './document.ts'

/** A contract with its open questions and declared behaviour. */
export interface ContractSource {
  readonly contract: Contract
  readonly register: Register
  readonly behaviour: Behaviour
  /** What is declared for places that a changed copy of the contract does not have, such as `lists/listUsers`. */
  readonly leftOut: readonly string[]
}

/** Reading a contract is slow. */
const copies = new WeakMap<object, Promise<ContractSource>>()

/**
 * Loads a changed copy of the partner payments contract, or the contract itself.
 *
 * @throws {ContractError} if the contract cannot be read
 */
export function loadContract(document: object | undefined): Promise<ContractSource> {
  if (!document) return loadOwn()
  const source = copies.get(document) ?? readCopy(document)
  copies.set(document, source)
  return source
}

/** A copy, with all that is declared of the contract at places that the copy still has. */
async function readCopy(document: object): Promise<ContractSource> {
  const contract = readContract(document)
  const [own, guide, facts] = await Promise.all([loadOwn(), guideDocument(), factsOfSource()])
  const { behaviour, leftOut } = keepBehaviour(own.contract, contract, own.behaviour)
  const lost = ({ of }: Contract['aliases'][number]) => !contract.has(of.id)
  const isStated = ({ at }: Fact) => {
    const pointer = pointerOf(at)
    return contract.document.at(pointer) !== undefined || own.contract.document.at(pointer) === undefined
  }
  const asked = new Set([...contract.questions, ...questionsIn(behaviour)])
  const placed = new Set([...questionsIn(own.contract.document.root), ...questionsIn(own.behaviour)])
  const register = Object.entries(own.register).filter(([id]) => asked.has(id) || !placed.has(id))
  return {
    contract: {
      ...withAliases(contract, readContract(withComponentsOf(document, guide))),
      questions: new Set([...asked, ...register.map(([id]) => id)]),
      conventions: behaviour.conventions ?? {},
      statements: statementsOf(facts.filter(isStated)),
    },
    register: Object.fromEntries(register),
    behaviour,
    leftOut: [...leftOut, ...own.contract.aliases.filter(lost).map(({ view }) => `guide${view.path}`)],
  }
}

/** The short paths, with the schemas of the copy. */
function withComponentsOf(document: object, guide: object): object {
  const [ours, theirs] = [guide, document].map((it) => nodeOf(nodeOf(it).components))
  const kinds = Object.keys(ours ?? {})
  const merged = kinds.map((kind) => [kind, { ...nodeOf(ours?.[kind]), ...nodeOf(theirs?.[kind]) }])
  return { ...guide, components: Object.fromEntries(merged) }
}

/** The pointer of a schema into the bundle. Other places are those of an operation or of the whole document. */
function pointerOf(at: string): string {
  return at.replace(/^schemas\/\w+\.yaml#/, '/components/schemas').replace(/^openapi\.yaml#/, '')
}

let cachedOwn: Promise<ContractSource> | undefined

function loadOwn(): Promise<ContractSource> {
  cachedOwn ??= readOwn()
  return cachedOwn
}

async function readOwn(): Promise<ContractSource> {
  const [contract, guide, register, behaviour, facts] = await Promise.all([
    defaultContract(),
    guideDocument(),
    json(import('@partner-payments/spec/open-questions.json', { with: { type: 'json' } })),
    json(import('@partner-payments/spec/behaviour.json', { with: { type: 'json' } })),
    factsOfSource(),
  ])
  // Includes the short paths of the guide.
  const whole = withAliases(readContract(contract), readContract(guide))
  return {
    // Declared behaviour cites questions that no mark of the contract names.
    contract: {
      ...whole,
      questions: new Set(Object.keys(register)),
      conventions: (behaviour as Behaviour).conventions ?? {},
      statements: statementsOf(facts),
    },
    register: register as Register,
    behaviour: behaviour as Behaviour,
    leftOut: [],
  }
}

/** The partner payments contract. */
export async function defaultContract(): Promise<object> {
  return json(import('@partner-payments/spec/openapi.json', { with: { type: 'json' } }))
}

async function guideDocument(): Promise<object> {
  return json(import('@partner-payments/spec/guide.json', { with: { type: 'json' } }))
}

/** A statement of the source document. */
interface Fact {
  readonly id: string
  readonly section: string
  /** File and pointer of the contract. */
  readonly at: string
}

async function factsOfSource(): Promise<readonly Fact[]> {
  return json(import('@partner-payments/spec/facts.json', { with: { type: 'json' } }))
}

function statementsOf(facts: readonly Fact[]): Contract['statements'] {
  return new Map(facts.map(({ id, section }) => [id, section]))
}

async function json<T>(module: Promise<{ readonly default: T }>): Promise<T> {
  return (await module).default
}

/** The open questions of the contract, by id. */
export type Register = Readonly<
  Record<string, { question: string; assumption: string; basis: 'standard' | 'assumed' | 'open' }>
>
