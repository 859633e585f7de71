import { visible } from '@partner-payments/text'
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
  readonly schema: 'DictTransferRequest' | 'ImmediateQrCodeRequest'
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
export async function readFields(items: readonly string[], settable: Settable): Promise<object> {
  const request = {}
  if (items.length === 0) return request
  const fields = await settableFields(settable)
  const list = `Fields: ${[...fields].map(describe).join(', ')}.`
  for (const item of items) {
    const [, name = '', text = ''] = /^([^=]+)=(.*)$/s.exec(item) ?? []
    if (name === '')
      refuse(`--set needs field=value, as in --set amount=12.50; got "${visible(item)}".`)
    const schema = fields.get(name)
    if (!schema) return refuse(`--set: "${visible(name)}" is not a field of the request. ${list}`)
    const value = parseValue(schema, text)
    if (value === undefined)
      refuse(`--set ${name} must be ${expectedOf(schema)}, got "${visible(text)}". ${list}`)
    setAt(request, (settable.names?.[name] ?? name).split('.'), value)
  }
  return request
}

/** The settable fields by name, from the contract. Arrays are left out. */
async function settableFields({
  schema,
  except = [],
  names = {},
}: Settable): Promise<Map<string, Schema>> {
  const { default: contract } = await import('@partner-payments/spec/openapi.json', {
    with: { type: 'json' },
  })
  const schemas: Readonly<Record<string, object>> = contract.components.schemas
  const shortOf = new Map(Object.entries(names).map(([short, name]) => [name, short]))
  const resolve = ({ $ref = '', ...own }: Schema): Schema => {
    const named = schemas[$ref.split('/').at(-1) ?? '']
    return named ? { ...resolve(named), ...own } : own
  }
  const fieldsIn = (name: string, it: Schema): [string, Schema][] => {
    const { properties, ...field } = resolve(it)
    if (!properties) return [[shortOf.get(name) ?? name, field]]
    return Object.entries(properties).flatMap(([key, value]) =>
      fieldsIn(name ? `${name}.${key}` : key, value),
    )
  }
  const all = fieldsIn('', { $ref: schema })
  return new Map(all.filter(([name, { type }]) => type !== 'array' && !except.includes(name)))
}

function describe([name, { type }]: readonly [string, Schema]): string {
  return type === 'string' ? name : `${name} (${type})`
}

/** The value of a field, or undefined if the text is not what its schema expects. */
function parseValue(
  { type, pattern = '' }: Schema,
  text: string,
): string | number | boolean | undefined {
  if (type === 'integer') return /^-?\d{1,15}$/.test(text) ? Number(text) : undefined
  if (type === 'boolean') return text === 'true' || (text === 'false' ? false : undefined)
  return new RegExp(pattern, 'u').test(text) ? text : undefined
}

function expectedOf({ type, pattern }: Schema): string {
  if (type === 'boolean') return 'true or false'
  return pattern === undefined ? `of type ${type}` : `a string that matches ${pattern}`
}

/** The names come from the contract, so none of them is `__proto__`. */
function setAt(request: object, [name = '', ...rest]: readonly string[], value: unknown): void {
  const { [name]: nested = {} } = request as Record<string, object>
  if (rest.length > 0) setAt(nested, rest, value)
  Object.assign(request, { [name]: rest.length > 0 ? nested : value })
}
