import { quoted } from '@partner-payments/text'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { formats } from './formats.ts'

/**
 * The document is invalid: a reference cannot be resolved, a keyword has an invalid value or is not
 * implemented, or the OpenAPI version is not supported. Never thrown because of a message.
 *
 * @example
 * try {
 *   createValidator({ openapi: '3.0.3' })
 * } catch (error) {
 *   if (error instanceof ContractError) console.error(error.pointer, error.message)
 * }
 */
export class ContractError extends Error {
  /** Always `ContractError`, even if a bundle has two copies of the class. */
  override readonly name = 'ContractError'
  /** JSON pointer to the invalid value in the document. */
  readonly pointer: string

  /** Internal: only the validator throws it. */
  constructor(pointer: string, message: string, options?: ErrorOptions) {
    super(`"${pointer}" ${message}`, options)
    this.pointer = pointer
  }
}

/** The types of JSON Schema. */
const TYPES = ['null', 'boolean', 'number', 'integer', 'string', 'array', 'object']

/** The methods of a path item. */
export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

const named = (kind: string) => ({ $ref: `#/$defs/${kind}` })
const mapOf = (kind: string) => ({ type: 'object', additionalProperties: named(kind) })
/** A map that may also have extensions. */
const extendedMapOf = (kind: string) => ({ ...mapOf(kind), patternProperties: { '^x-': true } })
const each = (keywords: string, schema: unknown) =>
  Object.fromEntries(keywords.split(' ').map((keyword) => [keyword, schema]))
const text = { type: 'string', description: 'a string' }
const schemas = {
  type: 'array',
  minItems: 1,
  items: named('schema'),
  description: 'an array of one schema or more',
}
const parameters = { type: 'array', items: named('parameter') }
const reference = (kind: string) => ({
  type: 'string',
  pattern: `^#/components/${kind}/[\\w.-]+$`,
  description: `must refer to #/components/${kind}`,
})
const content = {
  type: 'object',
  propertyNames: { pattern: '^[\\w.+-]+/([\\w.-]+\\+)?[jJ][sS][oO][nN]\\s*(;|$)' },
  additionalProperties: { type: 'object', properties: { schema: named('schema') } },
  description: 'is not implemented: use a JSON media type',
}
/**
 * Without `style`, `explode` and others, a parameter is a single value in the default style of its
 * place.
 */
const single = {
  ...each('style explode allowReserved allowEmptyValue content', false),
  schema: {
    ...named('schema'),
    properties: {
      type: {
        not: { enum: ['array', 'object'] },
        description: 'is not implemented: use a single value',
      },
    },
  },
}

/**
 * The schema of the documents that the validator implements, down to each keyword of a schema with
 * its valid values (JSON Schema Validation, draft 2020-12, section 6). A `description` says what a
 * value must be.
 */
const DOCUMENT = {
  type: 'object',
  required: ['openapi'],
  properties: {
    openapi: { type: 'string', pattern: '^3\\.1\\.', description: '3.1' },
    paths: {
      ...extendedMapOf('pathItem'),
      propertyNames: { pattern: '^(x-|(/([^{}/]*|\\{[^{}/]+\\}))*$)' },
      description: 'is not implemented: use parameters that are whole segments of a path',
    },
    webhooks: mapOf('pathItem'),
    components: {
      type: 'object',
      properties: {
        schemas: mapOf('schema'),
        responses: mapOf('response'),
        parameters: mapOf('parameter'),
        requestBodies: mapOf('body'),
        headers: mapOf('header'),
        pathItems: mapOf('pathItem'),
      },
    },
  },
  $defs: {
    pathItem: {
      type: 'object',
      properties: {
        $ref: reference('pathItems'),
        parameters,
        ...each(METHODS.join(' '), named('operation')),
      },
    },
    operation: {
      type: 'object',
      properties: { parameters, requestBody: named('body'), responses: extendedMapOf('response') },
    },
    parameter: {
      type: 'object',
      description: 'a parameter',
      if: { required: ['$ref'] },
      else: { required: ['name', 'in'] },
      properties: {
        ...single,
        $ref: reference('parameters'),
        name: text,
        in: { enum: ['path', 'query', 'header'], description: 'path, query or header' },
      },
    },
    header: { type: 'object', properties: { ...single, $ref: reference('headers') } },
    body: { type: 'object', properties: { $ref: reference('requestBodies'), content } },
    response: {
      type: 'object',
      properties: { $ref: reference('responses'), headers: mapOf('header'), content },
    },
    schema: {
      type: ['object', 'boolean'],
      description: 'a schema',
      properties: {
        $ref: reference('schemas'),
        type: {
          anyOf: [{ enum: TYPES }, { type: 'array', minItems: 1, items: { enum: TYPES } }],
          description: `one or more of ${TYPES.join(', ')}`,
        },
        const: true,
        enum: { type: 'array', minItems: 1, description: 'an array of one value or more' },
        ...each('maximum minimum exclusiveMaximum exclusiveMinimum', {
          type: 'number',
          description: 'a number',
        }),
        ...each('maxLength minLength maxItems minItems maxProperties minProperties', {
          type: 'integer',
          minimum: 0,
          description: 'a non-negative integer',
        }),
        pattern: { type: 'string', format: 'regex', description: 'a regular expression' },
        format: {
          enum: Object.keys(formats),
          description: `one of ${Object.keys(formats).join(', ')}`,
        },
        required: { type: 'array', items: { type: 'string' }, description: 'an array of strings' },
        ...each('allOf anyOf oneOf', schemas),
        properties: mapOf('schema'),
        ...each('items additionalProperties', named('schema')),
        discriminator: {
          type: 'object',
          required: ['propertyName'],
          properties: { propertyName: text },
        },
        ...each('title description default deprecated example examples externalDocs', true),
        ...each('$comment contentEncoding contentMediaType', true),
      },
      patternProperties: { '^x-': true },
      additionalProperties: false,
    },
  },
}

const createCheck = () =>
  new Ajv2020({
    ...{ strict: false, verbose: true, messages: false },
    formats: { regex: (pattern: string) => regExpOf(pattern) !== undefined },
    // A check of DOCUMENT itself and ajv's optimizer would take as long as the rest.
    ...{ validateSchema: false, code: { optimize: false } },
  }).compile(DOCUMENT)
let isImplemented: ReturnType<typeof createCheck> | undefined

/**
 * Throws the first error of a document: what the validator does not implement would accept every
 * value in silence.
 */
export function assertImplemented(document: object): void {
  isImplemented ??= createCheck()
  if (isImplemented(document)) return
  const error = isImplemented.errors?.at(-1)
  const { instancePath = '', params = {}, parentSchema = {}, data } = error ?? {}
  if (params.additionalProperty !== undefined)
    throw unimplemented(
      `${instancePath}/${params.additionalProperty}`,
      'remove it, or use another keyword',
    )
  if (error?.keyword === 'false schema') throw unimplemented(instancePath, 'leave it out')
  const { description = `of type ${parentSchema.type}` } = parentSchema
  const expected = /^(must|is) /.test(description) ? description : `must be ${description}`
  if (params.missingProperty === undefined)
    throw new ContractError(instancePath, `${expected}, got ${shown(data)}`)
  throw new ContractError(instancePath, `must have "${params.missingProperty}"`)
}

/** The error of a value that the validator does not implement. */
export function unimplemented(pointer: string, use: string): ContractError {
  return new ContractError(pointer, `is not implemented: ${use}`)
}

/** Formats a value of the document, which is not secret, for a message. */
function shown(value: unknown): string {
  const text = quoted(value)
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}

/**
 * With Unicode, as JSON Schema requires; without it if the pattern has escapes that Unicode mode
 * forbids.
 */
export function regExpOf(pattern: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags)
    } catch {}
  }
  return undefined
}
