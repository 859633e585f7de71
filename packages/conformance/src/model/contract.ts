import type { Behaviour } from '@partner-payments/spec/behaviour'
import { createValidator, type Validator } from '@partner-payments/validator'
import { createDocument, type Document, nodeOf } from './document.ts'
import { canFollow, type Link, linksIn } from './links.ts'
import { type OperationView, viewOf } from './operation-view.ts'
import { responseProperties } from './schema-properties.ts'

/** A parsed contract, as `readContract` returns it. */
export interface Contract {
  readonly document: Document
  readonly validator: Validator
  readonly title: string
  readonly version: string
  readonly operations: readonly OperationView[]
  /** @throws {Error} if there is no such operation; check with `has` first. */
  operation(id: string): OperationView
  has(...ids: readonly string[]): boolean
  /** The operation that returns a bearer token for a key and a secret; undefined if there is none. */
  readonly signIn: OperationView | undefined
  /** The links that can be followed. */
  readonly links: readonly Link[]
  /** Other paths of its operations, from a second document. */
  readonly aliases: readonly Alias[]
  /** Sections of the source document by statement id. */
  readonly statements: ReadonlyMap<string, string>
  /** Rules that apply to every operation. */
  readonly conventions: NonNullable<Behaviour['conventions']>
  /** Ids of the open questions for which the contract makes an assumption. */
  readonly questions: ReadonlySet<string>
  /** Errors of the document. Some show only when a schema is used. */
  readonly faults: readonly ContractFault[]
}

/**
 * An error of the contract: a keyword with an invalid value, or a reference that leads nowhere. What it affects is
 * not checked.
 */
export interface ContractFault {
  /** JSON pointer into the contract (RFC 6901). */
  readonly pointer: string
  /** One sentence, which starts with the pointer. */
  readonly message: string
}

export interface Alias {
  readonly view: OperationView
  /** The same operation in the contract. */
  readonly of: OperationView
  /** Validates responses against the second document. */
  readonly validator: Validator
}

/** Compiling schemas can take longer than a run, so contracts are cached. */
const read = new WeakMap<object, Contract>()

/**
 * Reads a contract. The document must not be modified afterwards; reading it again returns the same object.
 *
 * @throws {ContractError} if it is not OpenAPI 3.1
 */
export function readContract(root: object): Contract {
  const known = read.get(root) ?? contractOf(root)
  read.set(root, known)
  return known
}

/** Adds the aliases that a second document declares with `x-alias-of`, of operations that the contract has. */
export function withAliases(contract: Contract, second: Contract): Contract {
  const { document, operations, validator } = second
  const aliases = operations.flatMap((view) => {
    const id = document.follow(view.pointer).node['x-alias-of']
    return typeof id === 'string' && contract.has(id) ? [{ view, of: contract.operation(id), validator }] : []
  })
  return { ...contract, aliases, questions: new Set([...contract.questions, ...second.questions]) }
}

function contractOf(root: object): Contract {
  const faults: ContractFault[] = []
  const onContractError = ({ pointer, message }: ContractFault) => faults.push({ pointer, message })
  const validator = createValidator(root, { onContractError })
  const document = createDocument(validator.document)
  const operations = validator.operations.map((operation) => viewOf(document, operation, validator))
  const byId = new Map(operations.map((it) => [it.id, it]))
  const info = nodeOf(document.at('/info'))
  return {
    document,
    validator,
    title: String(info.title ?? ''),
    version: String(info.version ?? ''),
    operations,
    operation: (id) => byId.get(id) ?? missing(id),
    has: (...ids) => ids.every((id) => byId.has(id)),
    signIn: signInOf(document, operations),
    links: linksIn(document, operations).filter(canFollow),
    aliases: [],
    statements: new Map(),
    conventions: {},
    questions: questionsIn(document.root),
    faults,
  }
}

/** The open questions of marks and of declared behaviour. A mark is one id, or an id for each aspect. */
export function questionsIn(node: unknown): Set<string> {
  const found = new Set<string>()
  JSON.stringify(node, (name, value: unknown) => {
    if (name === 'question' && typeof value === 'string') found.add(value)
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

/** A POST with HTTP Basic and no other input, whose success returns an `access_token`. */
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
