import { quoted } from '@partner-payments/contract'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
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

const text = { type: 'string', description: 'a string' }

const schemas = {
  type: 'array',
  minItems: 1,
  items: createReference('schema'),
  description: 'an array of one schema or more',
}

const parameters = { type: 'array', items: createReference('parameter') }

const content = {
  type: 'object',
  propertyNames: { pattern: '^[\\w.+-]+/([\\w.-]+\\+)?[jJ][sS][oO][nN]\\s*(;|$)' },
  additionalProperties: { type: 'object', properties: { schema: createReference('schema') } },
  description: 'is not implemented: use a JSON media type',
}

/**
 * Without `style`, `explode` and others, a parameter is a single value in the default style of its
 * place.
 */
const singleValue = {
  style: false,
  explode: false,
  allowReserved: false,
  allowEmptyValue: false,
  content: false,
  schema: {
    ...createReference('schema'),
    properties: {
      type: {
        not: { enum: ['array', 'object'] },
        description: 'is not implemented: use a single value',
      },
    },
  },
}

const number = { type: 'number', description: 'a number' }
const count = { type: 'integer', minimum: 0, description: 'a non-negative integer' }

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
      ...createExtendedMap('pathItem'),
      propertyNames: { pattern: '^(x-|(/([^{}/]*|\\{[^{}/]+\\}))*$)' },
      description: 'is not implemented: use parameters that are whole segments of a path',
    },
    webhooks: createMap('pathItem'),
    components: {
      type: 'object',
      properties: {
        schemas: createMap('schema'),
        responses: createMap('response'),
        parameters: createMap('parameter'),
        requestBodies: createMap('body'),
        headers: createMap('header'),
        pathItems: createMap('pathItem'),
      },
    },
  },
  $defs: {
    pathItem: {
      type: 'object',
      properties: {
        $ref: reference('pathItems'),
        parameters,
        ...Object.fromEntries(METHODS.map((method) => [method, createReference('operation')])),
      },
    },
    operation: {
      type: 'object',
      properties: {
        parameters,
        requestBody: createReference('body'),
        responses: createExtendedMap('response'),
      },
    },
    parameter: {
      type: 'object',
      description: 'a parameter',
      if: { required: ['$ref'] },
      else: { required: ['name', 'in'] },
      properties: {
        ...singleValue,
        $ref: reference('parameters'),
        name: text,
        in: { enum: ['path', 'query', 'header'], description: 'path, query or header' },
      },
    },
    header: { type: 'object', properties: { ...singleValue, $ref: reference('headers') } },
    body: { type: 'object', properties: { $ref: reference('requestBodies'), content } },
    response: {
      type: 'object',
      properties: { $ref: reference('responses'), headers: createMap('header'), content },
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
        maximum: number,
        minimum: number,
        exclusiveMaximum: number,
        exclusiveMinimum: number,
        maxLength: count,
        minLength: count,
        maxItems: count,
        minItems: count,
        maxProperties: count,
        minProperties: count,
        pattern: { type: 'string', format: 'regex', description: 'a regular expression' },
        format: {
          enum: Object.keys(formats),
          description: `one of ${Object.keys(formats).join(', ')}`,
        },
        required: { type: 'array', items: { type: 'string' }, description: 'an array of strings' },
        allOf: schemas,
        anyOf: schemas,
        oneOf: schemas,
        properties: createMap('schema'),
        items: createReference('schema'),
        additionalProperties: createReference('schema'),
        discriminator: {
          type: 'object',
          required: ['propertyName'],
          properties: { propertyName: text },
        },
        // Annotations, which accept every value.
        title: true,
        description: true,
        default: true,
        deprecated: true,
        example: true,
        examples: true,
        externalDocs: true,
        $comment: true,
        contentEncoding: true,
        contentMediaType: true,
      },
      patternProperties: { '^x-': true },
      additionalProperties: false,
    },
  },
}

/** A reference to a definition in `DOCUMENT`. */
function createReference(definition: string) {
  return { $ref: `#/$defs/${definition}` }
}

function createMap(definition: string) {
  return { type: 'object', additionalProperties: createReference(definition) }
}

/** A map that may also have extensions. */
function createExtendedMap(definition: string) {
  return { ...createMap(definition), patternProperties: { '^x-': true } }
}

/**
 * The schema of a `$ref` to a component of the document, such as `#/components/headers/RequestId`.
 */
function reference(kind: string) {
  return {
    type: 'string',
    pattern: `^#/components/${kind}/[\\w.-]+$`,
    description: `must refer to #/components/${kind}`,
  }
}

let validateDocument: ValidateFunction | undefined

/**
 * Throws the first error of a document. What the validator does not implement is an error too:
 * otherwise it would accept every value there.
 */
export function requireImplemented(document: object): void {
  validateDocument ??= compileDocument()
  validateDocument(document)
  // Stops at the first error, which comes after those of the schemas that led to it.
  const error = validateDocument.errors?.at(-1)
  if (error) throw toContractError(error)
}

/** Compiles the schema of documents that this validator implements. */
function compileDocument(): ValidateFunction {
  const ajv = new Ajv2020({
    strict: false,
    verbose: true,
    messages: false,
    formats: { regex: (pattern: string) => compilePattern(pattern) !== undefined },
    // A check of DOCUMENT itself and ajv's optimizer would take as long as the rest.
    validateSchema: false,
    code: { optimize: false },
  })
  return ajv.compile(DOCUMENT)
}

/**
 * The error about an invalid document, in the words of this package, from an error of ajv. A keyword
 * whose schema is `false` in {@link DOCUMENT}, such as `style`, is not implemented.
 */
function toContractError(error: ErrorObject): ContractError {
  const { keyword, instancePath: pointer, params, parentSchema, data } = error
  switch (keyword) {
    case 'additionalProperties': {
      const propertyPointer = `${pointer}/${params.additionalProperty}`
      return unimplemented(propertyPointer, 'remove it, or use another keyword')
    }

    case 'false schema':
      return unimplemented(pointer, 'leave it out')

    case 'required':
      return new ContractError(pointer, `must have "${params.missingProperty}"`)

    default:
      return new ContractError(
        pointer,
        `${describeRequirement(parentSchema)}, got ${quoteShortly(data)}`,
      )
  }
}

/** What a schema of `DOCUMENT` requires of a value, such as "must be a number". */
function describeRequirement(schema: ErrorObject['parentSchema']): string {
  const description: string = schema?.description ?? `of type ${schema?.type}`
  const isPredicate = description.startsWith('must ') || description.startsWith('is ')
  return isPredicate ? description : `must be ${description}`
}

/** The error of a value that the validator does not implement. */
export function unimplemented(pointer: string, use: string): ContractError {
  return new ContractError(pointer, `is not implemented: ${use}`)
}

/** Formats a value of the document, which is not secret, for a message. */
function quoteShortly(value: unknown): string {
  const text = quoted(value)
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}

/**
 * A pattern as a regular expression; undefined if it is none. JSON Schema requires Unicode mode; a
 * pattern with escapes that this mode forbids is compiled without it.
 */
export function compilePattern(pattern: string): RegExp | undefined {
  return createRegExp(pattern, 'u') ?? createRegExp(pattern, '')
}

/** A pattern as a regular expression; undefined if it is none with these flags. */
function createRegExp(pattern: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(pattern, flags)
  } catch {
    return undefined
  }
}
