import type { DeclaredBehaviour, TokenKind } from './behaviour.ts'
import { readDeclared } from './document.ts'
import { fieldsOf } from './json.ts'
import type { Declared, Event, Operation, Response } from './operation.ts'
import { listOrigins, readLinks } from './origins.ts'
import { printedFields } from './printed-fields.ts'
import { recordPlace } from './records.ts'
import { type Role, readRoles } from './roles.ts'

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
 * Reads the table. A changed copy of the contract may lack operations, or have others: those have
 * no resource, and their operationId for a role.
 *
 * @example
 * const { operations } = readContract({ document: openapi, guide, behaviour })
 * operations.filter(({ effect }) => effect === 'once')
 */
export function readContract({ document, guide, behaviour }: ContractSources): Contract {
  const context = { behaviour, roles: readRoles(behaviour) }
  const declared = readDeclared(fieldsOf(document), 'paths')
  const shortPaths = guide ? readDeclared(fieldsOf(guide), 'paths') : []
  const operations = [...declared, ...shortPaths].map((one) => readOperation(one, context))
  return {
    operations: operations.map((operation) => ({
      ...operation,
      origins: listOrigins(operation, operations),
    })),
    events: readDeclared(fieldsOf(document), 'webhooks').map((event) =>
      readEvent(event, behaviour),
    ),
  }
}

interface Context {
  readonly behaviour: DeclaredBehaviour
  readonly roles: ReadonlyMap<string, Role>
}

/**
 * Reads one operation of the document into a row of the table. A short path of the guide
 * (`x-alias-of`) has the role of the operation that it shortens.
 */
function readOperation(declared: Declared, { behaviour, roles }: Context): Operation {
  const { node, responses } = declared
  const aliasOf = node['x-alias-of'] === undefined ? undefined : String(node['x-alias-of'])
  const id = aliasOf ?? declared.id
  // Such as webhook, create, create: what spec/behaviour says about this operation.
  const { resource, role, name } = roles.get(id) ?? { resource: undefined, role: id, name: id }
  const success = findSuccess(responses)
  // Where the response shows the record, or the records of a list.
  const record = recordPlace(declared.document, success, {
    list: behaviour.lists?.[id],
    resource: behaviour.resources?.[resource ?? ''],
  })
  const row = {
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
    isPaged: behaviour.lists?.[id]?.pages !== undefined,
    echoes: fieldsOf(node['x-echoes']) as Operation['echoes'],
    essential: (node['x-essential'] ?? []) as Operation['essential'],
    origins: [],
    printed: [],
  }
  return { ...row, printed: printedFields(row, behaviour) }
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
