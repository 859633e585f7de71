import { visible } from '@partner-payments/contract'
import { refuse } from './errors.ts'

/** The part of a JSON Schema that a field needs. */
interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, Schema>>
}

/** A request that `--set` changes, by the name of its schema in the contract. */
export interface Settable {
  readonly schema: 'DictTransferRequest' | 'ImmediateQrCodeRequest' | 'StaticQrCodeRequest'
  /** Fields that the command sets itself. */
  readonly except?: readonly string[]
  /** The paths of fields with short names, such as `{ amount: 'amount.original' }`. */
  readonly names?: Readonly<Record<string, string>>
}

/**
 * Reads `--set field=value` items into the fields of a request: `payer.name=Ana` becomes
 * `{ payer: { name: 'Ana' } }`.
 *
 * @param settable Which fields there are; undefined if there are none.
 * @throws {UsageError} if a field is unknown, or its value is not what the contract expects
 */
export async function readFields(
  items: readonly string[],
  settable: Settable | undefined,
): Promise<object> {
  const request = {}
  if (items.length === 0) return request
  if (!settable) return refuse('--set: no field of this event can be set. Leave --set out.')

  const fields = await listSettableFields(settable)
  for (const item of items) {
    const { name, text } = parseItem(item)
    const value = readValue(name, text, fields)
    const path = settable.names?.[name] ?? name
    setField(request, path.split('.'), value)
  }
  return request
}

/** The value of a field. Throws a UsageError if the field is unknown, or its value invalid. */
function readValue(name: string, text: string, fields: ReadonlyMap<string, Schema>): unknown {
  const list = `Fields: ${[...fields].map(describe).join(', ')}.`
  const schema = fields.get(name)
  if (!schema) return refuse(`--set: "${visible(name)}" is not a field of the request. ${list}`)

  const value = parseValue(schema, text)
  const isValid = value !== undefined
  if (isValid) return value
  return refuse(
    `--set ${name} must be ${describeExpected(schema)}, got "${visible(text)}". ${list}`,
  )
}

/** Splits an item of `--set`, such as `amount=12.50`, at its first equals sign. */
function parseItem(item: string): { name: string; text: string } {
  const [, name = '', text = ''] = /^([^=]+)=(.*)$/s.exec(item) ?? []
  if (name === '')
    refuse(`--set needs field=value, as in --set amount=12.50; got "${visible(item)}".`)
  return { name, text }
}

/**
 * The schemas of the fields that `--set` can set, by their names, such as `payer.name`. Arrays are
 * left out.
 */
async function listSettableFields(settable: Settable): Promise<Map<string, Schema>> {
  const { schema, except = [], names = {} } = settable
  const { default: contract } = await import('@partner-payments/spec/openapi.json', {
    with: { type: 'json' },
  })
  const namesByPath = new Map(Object.entries(names).map(([name, path]) => [path, name]))
  const fields = new Map<string, Schema>()
  for (const [path, field] of listFields('', { $ref: schema }, contract.components.schemas)) {
    const name = namesByPath.get(path) ?? path
    const isSettable = field.type !== 'array' && !except.includes(name)
    if (isSettable) fields.set(name, field)
  }
  return fields
}

type Schemas = Readonly<Record<string, object>>

/**
 * The fields that a schema declares, each with its path and its schema. An object counts as its own
 * fields: `payer` as `payer.name` and `payer.tax_id`.
 */
function listFields(path: string, schema: Schema, schemas: Schemas): [path: string, Schema][] {
  const { properties, ...field } = resolve(schema, schemas)
  if (!properties) return [[path, field]]

  return Object.entries(properties).flatMap(([name, property]) => {
    const pathOfProperty = path === '' ? name : `${path}.${name}`
    return listFields(pathOfProperty, property, schemas)
  })
}

/** A schema with the keywords of its reference (`$ref`) and of what stands beside that. */
function resolve({ $ref = '', ...besideRef }: Schema, schemas: Schemas): Schema {
  const name = $ref.split('/').at(-1) ?? ''
  const target = schemas[name]
  return target ? { ...resolve(target, schemas), ...besideRef } : besideRef
}

function describe([name, { type }]: readonly [string, Schema]): string {
  return type === 'string' ? name : `${name} (${type})`
}

/**
 * The value of a field from the text of the command line; undefined if it is not what the schema
 * expects.
 */
function parseValue(
  { type, pattern = '' }: Schema,
  text: string,
): string | number | boolean | undefined {
  if (type === 'integer') return /^-?\d{1,15}$/.test(text) ? Number(text) : undefined
  if (type === 'boolean') return parseBoolean(text)
  return new RegExp(pattern, 'u').test(text) ? text : undefined
}

function parseBoolean(text: string): boolean | undefined {
  if (text === 'true') return true
  return text === 'false' ? false : undefined
}

function describeExpected({ type, pattern }: Schema): string {
  if (type === 'boolean') return 'true or false'
  return pattern === undefined ? `of type ${type}` : `a string that matches ${pattern}`
}

/**
 * Sets a field of a request at its path, such as `['payer', 'name']`, and creates the objects on
 * the way to it. The names come from the contract, so none of them is `__proto__`.
 */
function setField(request: object, [name = '', ...rest]: readonly string[], value: unknown): void {
  const isLast = rest.length === 0
  if (isLast) {
    Object.assign(request, { [name]: value })
    return
  }
  // A path leads through objects only.
  const { [name]: nested = {} } = request as Record<string, object>
  setField(nested, rest, value)
  Object.assign(request, { [name]: nested })
}
