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
import { createBodyReader } from './bodies.ts'
import { fieldsOf, type Json, listItems, valueAt } from './json.ts'

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
  /** Whether it is a shorter path of the guide. */
  readonly isAlias: boolean
  readonly validator: Validator
  /** The operation in the document of its validator. */
  readonly declaration: Validator['operations'][number]
  /** The field of a successful response at a pointer; undefined if the contract declares none. */
  field(status: number, pointer: string): DeclaredField | undefined
}

/** The operation of a request, by its method and path. */
export interface OperationMatch {
  readonly operation: Operation
  /** The decoded parameters of the path. */
  readonly parameters: Readonly<Record<string, string>>
}

export type Contract = ReturnType<typeof readContract>

/**
 * Reads the contract: its operations, its open questions, and the validator of deliveries. Beside the contract
 * stands the guide for partners, which gives five operations at shorter paths, such as
 * `/partners/webhooks`. They are validated with a document of their own, and mean operations of the contract.
 *
 * @param document The OpenAPI document. Default: that of this project; tests pass a changed copy.
 */
export function readContract(document: object = openapi) {
  const contractValidator = createValidator(document)
  const guideValidator = createValidator(mergeGuide(document))
  const operations = listOperations(contractValidator, guideValidator)
  const { title, version } = fieldsOf(fieldsOf(document).info)
  return {
    /** The document, bundled. */
    document,
    info: { title: String(title), version: String(version) },
    /** The URL of its first server. */
    server: readServerUrl(document),
    operations,
    /** Each of their ids once. */
    operationIds: new Set(operations.map(({ id }) => id)),
    /** The open questions and their assumptions. */
    questions: questions as Readonly<Record<string, DeclaredQuestion>>,
    /** The sections of the source document, by the id of the statement. */
    sections: new Map(facts.map(({ id, section }) => [id, section])),
    /** The operations of deliveries: their JSON pointers, by the names of their events. */
    deliveries: new Map(contractValidator.deliveries.map(({ path, pointer }) => [path, pointer])),
    /** The form of all refusals. */
    refusal: readRefusalForm(document),
    /** The header with the signatures of a delivery. */
    signatureHeader: readSignatureHeader(document),
    /** Reads the text of a body: of one with too many fields, those that the contract names, and some others. */
    readBody: createBodyReader({ document, guideDocument }),

    /** Where a delivery differs from the contract. */
    listDeliveryDifferences(delivery: DeliveryMessage): readonly Finding[] {
      return contractValidator.validateDelivery(delivery)
    },

    /** The examples of the request body of an operation. */
    examples(id: string): readonly unknown[] {
      const named = operations.find((operation) => operation.id === id && !operation.isAlias)
      return (named?.request?.examples ?? []).map(({ value }) => value)
    },

    /**
     * Finds the operation of a request with its path parameters, in the contract or among the shorter
     * paths of the guide; undefined if neither has it.
     */
    find(method: string, path: string): OperationMatch | undefined {
      for (const { findOperation } of [contractValidator, guideValidator]) {
        const match = findOperation(method, path)
        if (!match.found) continue

        const operation = operations.find(({ declaration }) => declaration === match.operation)
        if (operation) return { operation, parameters: match.parameters }
      }
      return undefined
    },
  }
}

/**
 * Lists the operations of the contract, and the shorter paths of the guide, each of which means one of them. Each
 * has what its document declares of it, such as `{ path: '/partners/webhooks' }`, and what the table of the
 * contract says, such as `{ aliasOf: 'createWebhook' }`.
 */
function listOperations(contract: Validator, guide: Validator): readonly Operation[] {
  const documents = { document: contract.document, guide: guide.document, behaviour }
  const rows = readTable(documents).operations
  const contractIds = new Set(contract.operations.map(({ id }) => id))
  const operations: Operation[] = []

  for (const validator of [contract, guide])
    for (const declaration of validator.operations) {
      const row = rows.find(
        ({ document, pointer }) =>
          document === validator.document && pointer === declaration.pointer,
      )
      if (!row) continue

      // A changed copy of the contract may lack the operation that a shorter path means.
      const meantId = row.aliasOf ?? row.id
      if (contractIds.has(meantId)) operations.push(buildOperation(row, validator, declaration))
    }
  return operations
}

/**
 * Reads from the declared response to a bad request what refusals always have. Where a changed copy of the contract
 * does not declare it, they have the media type of RFC 9457, all fields, and the header.
 */
function readRefusalForm(document: object) {
  const response = fieldsOf(valueAt(document, '/components/responses/BadRequest'))
  const content = fieldsOf(response.content)
  const [mediaType = 'application/problem+json'] = Object.keys(content)
  const schema = resolveReference(document, fieldsOf(content[mediaType]).schema)
  const header = resolveReference(document, fieldsOf(response.headers)['x-request-id'])
  const requires = (field: string) => !schema || listItems(schema.required).includes(field)
  return {
    mediaType: mediaType.toLowerCase(),
    /** Whether its body repeats the status. */
    hasStatus: requires('status'),
    hasCode: requires('code'),
    /** Whether each response has an id in a header, which the body of a refusal repeats. */
    hasRequestId: header === undefined || header.required === true,
    repeatsRequestId: requires('request_id'),
  }
}

/** Reads the name of the parameter that signs deliveries. A copy without it has that of the standard. */
function readSignatureHeader(document: object): string {
  const name = valueAt(document, '/components/parameters/DeliverySignature/name')
  return typeof name === 'string' ? name.toLowerCase() : 'webhook-signature'
}

/**
 * Returns the document of the guide for partners, which has the shorter paths, with the components of a contract:
 * its schemas, parameters and responses replace those of the same name. So a changed copy of the contract
 * changes the shorter paths too.
 */
function mergeGuide(document: object): object {
  const guideComponents = readComponents(guideDocument)
  const contractComponents = readComponents(document)
  const components: Record<string, Json> = {}
  for (const [kind, ofGuide] of Object.entries(guideComponents))
    components[kind] = { ...fieldsOf(ofGuide), ...fieldsOf(contractComponents[kind]) }
  return { ...guideDocument, components }
}

/** Reads the components of a document, by their kind, such as `schemas`. */
function readComponents(document: object): Json {
  return fieldsOf(fieldsOf(document).components)
}

/**
 * Reads the URL of the first server, with the defaults of its variables (OpenAPI 3.1, "Server Object"):
 * `{base_url}` becomes `http://127.0.0.1:4010`.
 */
function readServerUrl(document: object): string {
  const { url = '', variables } = fieldsOf(valueAt(document, '/servers/0'))
  return String(url).replaceAll(/\{([^{}]*)\}/g, (_, name: string) =>
    String(valueAt(variables, `/${name}/default`) ?? ''),
  )
}

/**
 * Builds an operation from its row in the table of the contract and its declaration in the document. A
 * shorter path of the guide gets the id of the operation that it means (`aliasOf`).
 */
function buildOperation(
  row: Row,
  validator: Validator,
  declaration: Operation['declaration'],
): Operation {
  return {
    ...row,
    id: row.aliasOf ?? row.id,
    isAlias: row.aliasOf !== undefined,
    validator,
    declaration,
    field: createFieldFinder(validator.document, declaration.pointer),
  }
}

/**
 * Creates the function `field(status, pointer)` of an operation: it finds the declared field at a pointer
 * into a response, with the open question that marks it, and remembers those that are declared.
 *
 * @param operation The pointer of the operation in the document.
 */
function createFieldFinder(document: object, operation: string): Operation['field'] {
  const fields = new Map<string, DeclaredField>()
  return (status, pointer) => {
    // All items of an array are declared by one schema.
    const place = pointer.replaceAll(/\/\d+(?=\/|$)/g, '/0')
    const key = `${status} ${place}`
    const remembered = fields.get(key)
    if (remembered) return remembered

    const response = valueAt(document, `${operation}/responses/${status}`)
    const field = findFieldOfResponse(document, response, place)
    // Of the fields that the contract does not declare, there is no end.
    if (field) fields.set(key, field)
    return field
  }
}

/** Finds the field at a place in the body of a declared response; undefined if it declares none. */
function findFieldOfResponse(
  document: object,
  declared: unknown,
  place: string,
): DeclaredField | undefined {
  const response = resolveReference(document, declared)
  if (!response) return undefined

  const schema = valueAt(response, '/content/application~1json/schema')
  return findField(document, schema, stepsOf(place), readMark(response))
}

/** A declared field: the open question that marks it, or nothing if it is a fact. */
export interface DeclaredField {
  readonly question?: string
}

/**
 * Finds the field that a schema declares at the end of some steps. Returns the open question that marks
 * it, or the nearest object around it: `{ question: 'bounds' }`; `{}` for a fact, which has no mark.
 * Undefined if the schema declares no such field.
 *
 * @param steps The names of a pointer: `['amount', 'original']`.
 * @param above The nearest mark on the way to this schema; `{}` if there was none.
 */
function findField(
  document: object,
  schema: unknown,
  steps: readonly string[],
  above: DeclaredField = {},
): DeclaredField | undefined {
  const node = resolveReference(document, schema)
  if (!node) return undefined
  // The nearest mark counts.
  const mark = readMark(node) ?? above
  const [step, ...stepsInside] = steps
  const hasArrived = step === undefined
  if (hasArrived) return mark

  const isIndex = /^\d+$/.test(step)
  const schemaInside = isIndex ? node.items : fieldsOf(node.properties)[step]
  const field = schemaInside && findField(document, schemaInside, stepsInside, mark)
  if (field) return field

  // The field may be declared by a part of the schema, or by one of its alternatives.
  for (const branch of listBranches(node)) {
    const fieldOfBranch = findField(document, branch, steps, mark)
    if (fieldOfBranch) return fieldOfBranch
  }
  return undefined
}

/** Lists the schemas of which one is made: its parts (`allOf`), and its alternatives. */
export function listBranches({ allOf, oneOf, anyOf }: Json): readonly unknown[] {
  return [...listItems(allOf), ...listItems(oneOf), ...listItems(anyOf)]
}

/** Reads the mark of a node: one question for all of it, or for its content, presence or meaning. */
function readMark(node: Json): DeclaredField | undefined {
  const question = questionOf(node, 'content', 'presence', 'meaning')
  return question === undefined ? undefined : { question }
}

/**
 * References of an example that are followed. The validator has refused those of schemas that lead
 * to themselves.
 */
const MAX_REFERENCES = 40

/**
 * Follows the `$ref` of a node, if it has one, and returns the node that it leads to; undefined if there
 * is none. The mark of an open question beside a reference replaces the one of its target:
 * `{ $ref: '#/…/Amount', 'x-open-question': 'bounds' }` becomes `{ type: 'string', 'x-open-question': 'bounds' }`.
 */
export function resolveReference(document: object, value: unknown, hops = 0): Json | undefined {
  if (value === undefined) return undefined
  const node = fieldsOf(value)
  // References that lead to themselves have no end: the last node stands for their target.
  if (typeof node.$ref !== 'string' || hops > MAX_REFERENCES) return node

  const target = resolveReference(document, valueAt(document, node.$ref.slice(1)), hops + 1)
  const mark = node[MARK]
  if (!target || mark === undefined) return target
  // A mark beside a reference is about this use.
  return { ...target, [MARK]: mark }
}

/** Finds the first of some operationIds that the contract does not have; undefined if it has all. */
export function findUndeclaredId(
  ids: readonly string[],
  { operationIds }: Contract,
): string | undefined {
  return ids.find((id) => !operationIds.has(id))
}

/**
 * Requires that a contract has some operations. A misspelt one would silently hide all findings.
 *
 * @throws {TypeError} with the first one that it does not have
 */
export function requireOperations(ids: readonly string[], contract: Contract): void {
  const undeclaredId = findUndeclaredId(ids, contract)
  if (undeclaredId !== undefined)
    throw new TypeError(`the contract has no operation "${undeclaredId}"`)
}

/** The schema of the body of a request; undefined if the operation takes none. */
export function readBodySchema({ validator: { document }, declaration }: Operation): unknown {
  return valueAt(document, `${declaration.pointer}/requestBody/content/application~1json/schema`)
}

/** Lists the parameters of the query that an operation declares, such as `{ name: 'limit', in: 'query' }`. */
export function listQueryParameters({ validator: { document }, declaration }: Operation): Json[] {
  const declared = valueAt(document, `${declaration.pointer}/parameters`)
  if (!Array.isArray(declared)) return []
  const parameters = declared.map((parameter) => resolveReference(document, parameter) ?? {})
  return parameters.filter((parameter) => parameter.in === 'query')
}

/** Reads the default of a parameter of the query; not a number if the contract declares none. */
export function readDefaultNumber(operation: Operation, name: string): number {
  const parameter = listQueryParameters(operation).find((declared) => declared.name === name)
  return Number(fieldsOf(parameter?.schema).default)
}

/**
 * Returns one schema with all keywords that describe a value: its own, which win, those of the alternative in `oneOf`
 * that the value chooses, and those behind its reference, which lose.
 *
 * The value `{ type: 'emv' }` chooses the alternative with the constant `type: 'emv'`. A value that has the
 * constants of none gets the first one.
 */
export function mergeSchema(document: object, schema: unknown, value: unknown): Json {
  const { $ref, oneOf, ...keywords } = fieldsOf(schema)
  const target = typeof $ref === 'string' ? valueAt(document, $ref.slice(1)) : undefined
  const referencedSchema = target ? mergeSchema(document, target, value) : {}

  const alternatives = listItems(oneOf).map((branch) => mergeSchema(document, branch, value))
  const [firstAlternative = {}] = alternatives
  const matching = alternatives.find((branch) => matchesConstants(branch, value))
  const alternative = matching ?? firstAlternative

  // A mark names the open question on which a schema rests.
  const mark = mergeMarks([referencedSchema, alternative, keywords])
  return { ...referencedSchema, ...alternative, ...keywords, [MARK]: mark }
}

/** Takes the last mark for all of a schema; where there is none, the marks for its parts together. */
function mergeMarks(schemas: readonly Json[]): unknown {
  const marks = schemas.map((schema) => schema[MARK] ?? {})
  const whole = marks.findLast((mark) => typeof mark === 'string')
  return whole ?? Object.assign({}, ...marks)
}

/**
 * Whether a value has the constants of a schema, which distinguish it from other alternatives: `{ type: 'emv' }`
 * has that of `{ properties: { type: { const: 'emv' } } }`. True for a schema without constants.
 */
function matchesConstants({ properties }: Json, value: unknown): boolean {
  for (const [name, property] of Object.entries(fieldsOf(properties))) {
    const constant = fieldsOf(property).const
    if (constant !== undefined && constant !== fieldsOf(value)[name]) return false
  }
  return true
}
