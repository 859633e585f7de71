import {
  MARK,
  questionOf,
  type Operation as Row,
  readContract as readTable,
} from '@partner-payments/contract'
import facts from '@partner-payments/spec/facts.json' with { type: 'json' }
import guideDocument from '@partner-payments/spec/guide.json' with { type: 'json' }
import questions from '@partner-payments/spec/open-questions.json' with { type: 'json' }
import openapi from '@partner-payments/spec/openapi.json' with { type: 'json' }
import {
  createValidator,
  type DeliveryMessage,
  type Finding,
  stepsOf,
  type Validator,
} from '@partner-payments/validator'
import { behaviour } from './behaviour.ts'
import { fieldsOf, type Json, valueAt } from './json.ts'

/** What the contract says about something that the source document does not state. */
export interface DeclaredQuestion {
  readonly question: string
  readonly assumption: string
  readonly basis: string
  /** Where and when a running service showed it, if one did. */
  readonly observed?: { readonly service: string; readonly date: string }
}

/**
 * An operation of the contract, or a shorter path of the guide, which shows fewer fields. `id` is
 * that of the operation that a shorter path means.
 */
export interface Operation extends Row {
  readonly isAlias: boolean
  readonly validator: Validator
  readonly declaration: Validator['operations'][number]
  /** The field of a successful response at a pointer; undefined if the contract declares none. */
  field(status: number, pointer: string): DeclaredField | undefined
}

export interface OperationMatch {
  readonly operation: Operation
  /** The decoded parameters of the path. */
  readonly parameters: Readonly<Record<string, string>>
}

export type Contract = ReturnType<typeof readContract>

/**
 * What the checker knows about the contract.
 *
 * @param document A changed copy, bundled. Default: the partner payments contract.
 */
export function readContract(document: object = openapi) {
  const own = createValidator(document)
  const guide = createValidator(mergeGuide(document))
  const rows = readTable({ document: own.document, guide: guide.document, behaviour }).operations
  const ids = new Set(own.operations.map(({ id }) => id))
  const operations = [...own.operations, ...guide.operations].flatMap((of) => {
    const validator = own.operations.includes(of) ? own : guide
    const row = rows.find(
      ({ document, pointer }) => document === validator.document && pointer === of.pointer,
    )
    const isKnown = row && ids.has(row.aliasOf ?? row.id)
    return isKnown ? [buildOperation(row, validator, of)] : []
  })
  const { title, version } = fieldsOf(fieldsOf(document).info)
  return {
    /** The document, bundled. */
    document,
    info: { title: String(title), version: String(version) },
    /** The URL of its first server. */
    server: readServerUrl(document),
    operations: operations as readonly Operation[],
    /** The open questions and their assumptions. */
    questions: questions as Readonly<Record<string, DeclaredQuestion>>,
    /** The sections of the source document, by the id of the statement. */
    sections: new Map(facts.map(({ id, section }) => [id, section])),
    /** The operations of deliveries: their JSON pointers, by the names of their events. */
    deliveries: new Map(own.deliveries.map(({ path, pointer }) => [path, pointer])),
    /** The form of all refusals. */
    refusal: readRefusalForm(document),
    /** The header with the signatures of a delivery. */
    signatureHeader: readSignatureHeader(document),
    /** Where a delivery differs from the contract. */
    deliveryDifferences: (delivery: DeliveryMessage): readonly Finding[] =>
      own.validateDelivery(delivery),
    /** The examples of the request body of an operation. */
    examples(id: string): readonly unknown[] {
      const named = operations.find((operation) => operation.id === id && !operation.isAlias)
      return (named?.request?.examples ?? []).map(({ value }) => value)
    },
    find(method: string, path: string): OperationMatch | undefined {
      for (const { findOperation } of [own, guide]) {
        const match = findOperation(method, path)
        if (!match.found) continue
        const operation = operations.find(({ declaration }) => declaration === match.operation)
        if (operation) return { operation, parameters: match.parameters }
      }
      return undefined
    },
  }
}

/** The form of a refusal by its most common response. A copy without it has that of RFC 9457. */
function readRefusalForm(document: object) {
  const content = fieldsOf(valueAt(document, '/components/responses/BadRequest/content'))
  const [mediaType = 'application/problem+json'] = Object.keys(content)
  const schema = resolveReference(document, fieldsOf(content[mediaType]).schema)
  const required = schema?.required
  return {
    mediaType: mediaType.toLowerCase(),
    /** Whether its body repeats the status. */
    hasStatus: Array.isArray(required) ? required.includes('status') : true,
  }
}

/** The name of the parameter that signs deliveries. A copy without it has that of the standard. */
function readSignatureHeader(document: object): string {
  const name = valueAt(document, '/components/parameters/DeliverySignature/name')
  return typeof name === 'string' ? name.toLowerCase() : 'webhook-signature'
}

/** The short paths, with the schemas of a changed copy. */
function mergeGuide(document: object): object {
  const ours = readComponents(guideDocument)
  const theirs = readComponents(document)
  const merged = Object.keys(ours).map((kind) => [
    kind,
    { ...fieldsOf(ours[kind]), ...fieldsOf(theirs[kind]) },
  ])
  return { ...guideDocument, components: Object.fromEntries(merged) }
}

/** The components of a document, by their kind. */
function readComponents(document: object): Json {
  return fieldsOf(fieldsOf(document).components)
}

/** With the defaults of its variables (OpenAPI 3.1, "Server Object"). */
function readServerUrl(document: object): string {
  const { url = '', variables } = fieldsOf(valueAt(document, '/servers/0'))
  return String(url).replaceAll(/\{([^{}]*)\}/g, (_, name: string) =>
    String(valueAt(variables, `/${name}/default`) ?? ''),
  )
}

function buildOperation(row: Row, validator: Validator, of: Operation['declaration']): Operation {
  return {
    ...row,
    id: row.aliasOf ?? row.id,
    isAlias: row.aliasOf !== undefined,
    validator,
    declaration: of,
    field: createFieldFinder(validator.document, of.pointer),
  }
}

/** Finds the fields of an operation's responses, and remembers them. */
function createFieldFinder(document: object, operation: string): Operation['field'] {
  const known = new Map<string, DeclaredField | undefined>()

  function find(status: number, place: string): DeclaredField | undefined {
    const node = valueAt(document, `${operation}/responses/${status}`)
    const response = resolveReference(document, node) ?? {}
    const schema = valueAt(response, '/content/application~1json/schema')
    return findField(document, schema, stepsOf(place), readMark(response))
  }

  return (status, pointer) => {
    // All items of an array are declared by one schema.
    const place = pointer.replaceAll(/\/\d+(?=\/|$)/g, '/0')
    const key = `${status} ${place}`
    if (!known.has(key)) known.set(key, find(status, place))
    return known.get(key)
  }
}

/** A declared field: the open question that marks it, or nothing if it is a fact. */
export interface DeclaredField {
  readonly question?: string
}

/**
 * The field that a schema declares at some steps, with the nearest mark above it; undefined if
 * there is none.
 */
function findField(
  document: object,
  schema: unknown,
  steps: readonly string[],
  above: DeclaredField = {},
): DeclaredField | undefined {
  const node = resolveReference(document, schema)
  if (!node) return undefined
  const mark = readMark(node) ?? above
  const [step, ...rest] = steps
  if (step === undefined) return mark

  const isIndex = /^\d+$/.test(step)
  const inside = isIndex ? node.items : fieldsOf(node.properties)[step]
  const field = inside && findField(document, inside, rest, mark)
  if (field) return field

  for (const branches of [node.allOf, node.oneOf, node.anyOf]) {
    for (const branch of Array.isArray(branches) ? branches : []) {
      const fieldOfBranch = findField(document, branch, steps, mark)
      if (fieldOfBranch) return fieldOfBranch
    }
  }
  return undefined
}

/** The mark of a node: one question for all of it, or one for its content, its presence or its meaning. */
function readMark(node: Json): DeclaredField | undefined {
  const question = questionOf(node, 'content', 'presence', 'meaning')
  return question === undefined ? undefined : { question }
}

/**
 * References of an example that are followed. The validator has refused those of schemas that lead
 * to themselves.
 */
const MAX_REFERENCES = 40

export function resolveReference(document: object, value: unknown, hops = 0): Json | undefined {
  if (value === undefined) return undefined
  const node = fieldsOf(value)
  if (typeof node.$ref !== 'string' || hops > MAX_REFERENCES) return node

  const target = resolveReference(document, valueAt(document, node.$ref.slice(1)), hops + 1)
  const mark = node[MARK]
  if (!target || mark === undefined) return target
  // A mark beside a reference is about this use.
  return { ...target, [MARK]: mark }
}

/** The schema of the body of a request; undefined if the operation takes none. */
export function bodySchema({ validator: { document }, declaration }: Operation): unknown {
  return valueAt(document, `${declaration.pointer}/requestBody/content/application~1json/schema`)
}

/** The declared parameters of the query. */
export function queryParameters({ validator: { document }, declaration }: Operation): Json[] {
  const declared = valueAt(document, `${declaration.pointer}/parameters`)
  if (!Array.isArray(declared)) return []
  const parameters = declared.map((parameter) => resolveReference(document, parameter) ?? {})
  return parameters.filter((parameter) => parameter.in === 'query')
}

/** The default of a parameter of the query; not a number if the contract declares none. */
export function defaultNumber(operation: Operation, name: string): number {
  const parameter = queryParameters(operation).find((declared) => declared.name === name)
  return Number(fieldsOf(parameter?.schema).default)
}

/**
 * A schema without references and alternatives, for a value. The table has no schemas by value, so it
 * reads the document. Keywords beside a reference override those behind
 * it.
 */
export function mergeSchema(document: object, schema: unknown, value: unknown): Json {
  const { $ref, oneOf, ...own } = fieldsOf(schema)
  const target = typeof $ref === 'string' ? valueAt(document, $ref.slice(1)) : undefined
  const referred = target ? mergeSchema(document, target, value) : {}
  const alternatives = Array.isArray(oneOf) ? oneOf : []
  const branches = alternatives.map((branch) => mergeSchema(document, branch, value))
  const chosen = branches.find((branch) => matchesConstants(branch, value)) ?? branches[0] ?? {}
  const mark = mergeMarks([referred, chosen, own])
  return { ...referred, ...chosen, ...own, [MARK]: mark }
}

/** The last mark for all of a schema; where there is none, the marks for its parts together. */
function mergeMarks(schemas: readonly Json[]): unknown {
  const marks = schemas.map((schema) => schema[MARK] ?? {})
  const whole = marks.findLast((mark) => typeof mark === 'string')
  return whole ?? Object.assign({}, ...marks)
}

/** Whether a value has the constants that tell a branch from others. */
function matchesConstants({ properties }: Json, value: unknown): boolean {
  return Object.entries(fieldsOf(properties)).every(([name, it]) => {
    const constant = fieldsOf(it).const
    return constant === undefined || constant === fieldsOf(value)[name]
  })
}
