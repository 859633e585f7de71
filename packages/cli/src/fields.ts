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
  /** Short names of fields. */
  readonly names?: Readonly<Record<string, string>>
}

/**
 * Reads `--set field=value` items into the fields of a request. A field of an object has a name
 * like `payer.name`.
 *
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
  const list = `Fields: ${[...fields].map(describe).join(', ')}.`
  for (const item of items) {
    const { name, text } = parseItem(item)
    const schema = fields.get(name)
    if (!schema) return refuse(`--set: "${visible(name)}" is not a field of the request. ${list}`)

    const value = parseValue(schema, text)
    if (value === undefined)
      refuse(`--set ${name} must be ${describeExpected(schema)}, got "${visible(text)}". ${list}`)

    const path = settable.names?.[name] ?? name
    setField(request, path.split('.'), value)
  }
  return request
}

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
async function listSettableFields({
  schema,
  except = [],
  names = {},
}: Settable): Promise<Map<string, Schema>> {
  const { default: contract } = await import('@partner-payments/spec/openapi.json', {
    with: { type: 'json' },
  })
  const schemas: Readonly<Record<string, object>> = contract.components.schemas
  const shortNames = new Map(Object.entries(names).map(([short, name]) => [name, short]))
  const settable = new Map<string, Schema>()

  function resolve({ $ref = '', ...besideRef }: Schema): Schema {
    const target = schemas[$ref.split('/').at(-1) ?? '']
    return target ? { ...resolve(target), ...besideRef } : besideRef
  }

  /**
   * Adds a field, or, if it is an object, the fields in it.
   *
   * @param name The name of the field; empty for the request itself.
   */
  function addFields(name: string, unresolved: Schema): void {
    const { properties, ...field } = resolve(unresolved)
    if (properties) {
      for (const [key, property] of Object.entries(properties))
        addFields(name ? `${name}.${key}` : key, property)
      return
    }
    const shownName = shortNames.get(name) ?? name
    if (field.type !== 'array' && !except.includes(shownName)) settable.set(shownName, field)
  }

  addFields('', { $ref: schema })
  return settable
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
 * Sets a field of a request at its path, such as `['payer', 'name']`. The names come from the
 * contract, so none of them is `__proto__`.
 */
function setField(request: object, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    Object.assign(request, { [name]: value })
    return
  }
  // A path leads through objects only.
  const { [name]: nested = {} } = request as Record<string, object>
  setField(nested, rest, value)
  Object.assign(request, { [name]: nested })
}
