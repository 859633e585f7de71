import type { Behaviour } from '@partner-payments/spec/behaviour'
import { createValidator, type Validator } from '@partner-payments/validator'
import { createDocument, type Document, nodeOf } from './document.ts'
import { inferredLinks } from './inferred-links.ts'
import { canFollow, type Link, linksIn } from './links.ts'
import { type OperationView, viewOf } from './operation-view.ts'
import { shapeOf } from './paths.ts'
import { responseProperties } from './response-properties.ts'

/** What a run reads of a contract. */
export interface Contract {
  readonly document: Document
  readonly validator: Validator
  readonly title: string
  readonly version: string
  readonly operations: readonly OperationView[]
  /** @throws {Error} where the contract has no such operation; ask `has` first. */
  operation(id: string): OperationView
  has(...ids: readonly string[]): boolean
  /** The operation that gives a bearer token for a key and a secret; undefined where there is none. */
  readonly signIn: OperationView | undefined
  /** Links, from the answer that has them to the operation that they lead to. */
  readonly links: readonly Link[]
  /** Other paths of its operations, which a second document gives. */
  readonly aliases: readonly Alias[]
  /** Statements of the document that the contract follows: their sections by their ids. Empty of any other contract. */
  readonly statements: ReadonlyMap<string, string>
  /** What holds for every operation; empty where nothing is declared. */
  readonly conventions: NonNullable<Behaviour['conventions']>
  /** The open questions that it gives its own answers to. */
  readonly questions: ReadonlySet<string>
  /** What is wrong with the document itself; some of it shows only when a schema is used. */
  readonly faults: readonly ContractFault[]
}

/** Something in the contract that cannot be used as it is: a value that a keyword cannot have, or a reference that leads nowhere. */
export interface ContractFault {
  /** JSON pointer into the contract (RFC 6901). */
  readonly pointer: string
  /** One sentence, which begins with the pointer. */
  readonly message: string
}

/** Another path of an operation. */
export interface Alias {
  readonly view: OperationView
  /** The operation of the contract. */
  readonly of: OperationView
  /** Judges responses by the document that gives the alias. */
  readonly validator: Validator
}

/** What was read stays read: to compile the schemas takes longer than many a run. */
const read = new WeakMap<object, Contract>()

/**
 * Reads a contract, once. It must not be changed afterwards.
 *
 * @throws {ContractError} where it is of another version than OpenAPI 3.1
 */
export function readContract(root: object): Contract {
  const known = read.get(root) ?? contractOf(root)
  read.set(root, known)
  return known
}

/**
 * A contract with the aliases that a second document gives to its operations by `x-alias-of`.
 *
 * @throws {Error} where the contract has no operation of that name.
 */
export function withAliases(contract: Contract, second: Contract): Contract {
  const { document, operations, validator } = second
  const aliases = operations.flatMap((view) => {
    const id = document.follow(view.pointer).node['x-alias-of']
    return typeof id === 'string' ? [{ view, of: contract.operation(id), validator }] : []
  })
  return { ...contract, aliases, questions: new Set([...contract.questions, ...second.questions]) }
}

function contractOf(root: object): Contract {
  const faults: ContractFault[] = []
  const onContractError = ({ pointer, message }: ContractFault) => faults.push({ pointer, message })
  const validator = createValidator(root, { onContractError })
  const document = createDocument(validator.document)
  const operations = markAmbiguous(
    validator.operations.map((operation) => viewOf(document, operation, validator)),
  )
  const byId = new Map(operations.map((it) => [it.id, it]))
  const info = nodeOf(document.at('/info'))
  const links = linksIn(document, operations)
  return {
    document,
    validator,
    title: String(info.title ?? ''),
    version: String(info.version ?? ''),
    operations,
    operation: (id) => byId.get(id) ?? missing(id),
    has: (...ids) => ids.every((id) => byId.has(id)),
    signIn: signInOf(document, operations),
    links: [...links.filter(canFollow), ...inferredLinks(document, operations, links)],
    aliases: [],
    statements: new Map(),
    conventions: {},
    questions: questionsIn(document.root),
    faults,
  }
}

/** Which of two operations a request means, nobody can say where their paths differ in the names of parameters alone. */
function markAmbiguous(views: readonly OperationView[]): OperationView[] {
  const shapes = Map.groupBy(views, ({ method, path }) => `${method} ${shapeOf(path)}`)
  return views.map((view) => {
    const other = shapes.get(`${view.method} ${shapeOf(view.path)}`)?.find((it) => it !== view)
    return other ? { ...view, unsendable: `its path is that of ${other.id} too` } : view
  })
}

/** The ids of all marks, whether a mark is one id or has one for each aspect. */
function questionsIn(node: unknown): Set<string> {
  const found = new Set<string>()
  JSON.stringify(node, (name, value: unknown) => {
    if (name === 'x-open-question')
      for (const id of typeof value === 'string' ? [value] : Object.values(nodeOf(value)))
        found.add(String(id))
    return value
  })
  return found
}

function missing(id: string): never {
  throw new Error(`the contract has no operation "${id}"`)
}

/** The operation that shows a token to who is told by HTTP Basic, and asks for nothing else. */
function signInOf(document: Document, operations: readonly OperationView[]): OperationView | undefined {
  if (!operations.some(({ scheme }) => scheme === 'bearer')) return undefined
  return operations.find(
    (it) =>
      it.scheme === 'basic' &&
      it.method === 'POST' &&
      it.pathParameters.length === 0 &&
      !it.isBodyRequired &&
      responseProperties(document, it).includes('access_token'),
  )
}
