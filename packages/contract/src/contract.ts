import { fieldsOf, stringAt } from './json/json.ts'
import type { DeclaredBehaviour, TokenKind } from './table/behaviour.ts'
import { readDeclared } from './table/document.ts'
import type {
  Declared,
  Event,
  Operation,
  OperationWithoutOrigins,
  Response,
} from './table/operation.ts'
import { listOrigins, readLinks } from './table/origins.ts'
import { printedFields } from './table/printed-fields.ts'
import { recordPlace } from './table/records.ts'
import { type Role, readRoles } from './table/roles.ts'

/** The contract as a table. */
export interface Contract {
  /** The operations in the order of the contract, then the short paths of its guide. */
  readonly operations: readonly Operation[]
  /** The events that the service delivers. */
  readonly events: readonly Event[]
}

/** What the table is made from: bundled documents, and the entries of spec/behaviour. */
export interface ContractSources {
  /** The contract, or a changed copy of it. */
  readonly document: object
  /** The document of the short paths. */
  readonly guide?: object
  readonly behaviour: DeclaredBehaviour
}

/**
 * Reads the contract as a table: a row for each operation, and then for each short path of its
 * guide. The document may be a changed copy. An operation that only the copy has is of no resource,
 * and its role is its operationId.
 *
 * @example
 * const { operations } = readContract({ document: openapi, guide, behaviour })
 * operations.filter(({ effect }) => effect === 'once')
 */
export function readContract({ document, guide, behaviour }: ContractSources): Contract {
  const roles = readRoles(behaviour)
  const declared = readDeclared(fieldsOf(document), 'paths')
  if (guide) declared.push(...readDeclared(fieldsOf(guide), 'paths'))
  const operations = declared.map((operation) => readOperation(operation, behaviour, roles))
  const events = readDeclared(fieldsOf(document), 'webhooks')
  return {
    operations: operations.map((operation) => ({
      ...operation,
      origins: listOrigins(operation, operations),
    })),
    events: events.map((event) => readEvent(event, behaviour)),
  }
}

/**
 * Reads one operation into a row of the table, such as `createTransfer`: resource `transfer`, role
 * `create`, effect `once`, status 201. A short path of the guide (`x-alias-of`) has the role of its
 * operation. The `origins` come later, since finding them takes the other rows.
 */
function readOperation(
  declared: Declared,
  behaviour: DeclaredBehaviour,
  roles: ReadonlyMap<string, Role>,
): OperationWithoutOrigins {
  const { node, document } = declared
  const aliasOf = stringAt(node, '/x-alias-of')
  const id = aliasOf ?? declared.id
  const { resource, role, name } = findRole(id, roles)
  const declaredResource = resource === undefined ? undefined : behaviour.resources?.[resource]
  const list = behaviour.lists?.[id]
  const success = findSuccess(declared.responses)
  const record = recordPlace(document, success, { list, resource: declaredResource })
  const essential = (node['x-essential'] ?? []) as Operation['essential']
  return {
    ...declared,
    aliasOf,
    resource,
    role,
    name,
    record,
    effect: node['x-effect'] as Operation['effect'],
    scheme: readScheme(declared),
    tokens: readTokens(declared, id, behaviour),
    status: Number(success.status),
    links: readLinks(success),
    success,
    isPaged: list?.pages !== undefined,
    echoes: fieldsOf(node['x-echoes']) as Operation['echoes'],
    essential,
    printed: printedFields({ document, success, record, essential }, declaredResource),
  }
}

/** The role of an operation; its operationId if spec/behaviour declares none. */
function findRole(id: string, roles: ReadonlyMap<string, Role>): Role {
  return roles.get(id) ?? { resource: undefined, role: id, name: id }
}

const NO_RESPONSE: Response = { status: '', body: undefined, codes: [], node: {} }

function findSuccess(responses: readonly Response[]): Response {
  return responses.find(({ status }) => status.startsWith('2')) ?? NO_RESPONSE
}

/** Its own security, or that of its document. */
function readScheme({ node, document }: Declared): Operation['scheme'] {
  const security = node.security ?? document.security
  const names = [security].flat().flatMap((scheme) => Object.keys(fieldsOf(scheme)))
  return names.includes('basic') ? 'basic' : 'bearer'
}

const EVERY_TOKEN: readonly TokenKind[] = ['partner', 'customer']

/**
 * Whose tokens an operation takes, `partner` or `customer`: those that its permission names, or
 * both. None if it takes a password instead.
 */
function readTokens(
  declared: Declared,
  id: string,
  { permissions = {} }: DeclaredBehaviour,
): readonly TokenKind[] {
  if (readScheme(declared) === 'basic') return []
  const permission = Object.values(permissions).find(({ operations }) => operations.includes(id))
  return permission?.tokens ?? EVERY_TOKEN
}

function readEvent(declared: Declared, { events = {} }: DeclaredBehaviour): Event {
  const { resource = [], subscribers = [] } = events[declared.path] ?? {}
  return { ...declared, resources: resource, subscribers }
}
