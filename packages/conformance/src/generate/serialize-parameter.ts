import { nodeOf } from '../model/document.ts'
import type { ParameterView } from '../model/parameter-views.ts'

/** Names and values as they are sent; `deepObject` needs several names. */
export type SerializedParameter = Readonly<Record<string, string | readonly string[]>>

/** Serializes a parameter (OpenAPI 3.1, "Style Values"); undefined if its style is not supported. */
export function serializeParameter(
  parameter: ParameterView,
  value: unknown,
): SerializedParameter | undefined {
  if (parameter.kind === 'content')
    return named(parameter, value === undefined ? undefined : JSON.stringify(value))
  if (parameter.kind === 'array') return serializeList(parameter, [value].flat().map(scalarString))
  if (parameter.kind === 'object') return serializeObject(parameter, Object.entries(nodeOf(value)))
  return named(parameter, scalarString(value))
}

/** A string, number or boolean as a string; undefined for other types. */
export function scalarString(value: unknown): string | undefined {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined
}

function named(
  { name }: ParameterView,
  text: string | readonly string[] | undefined,
): SerializedParameter | undefined {
  return text === undefined ? undefined : { [name]: text }
}

/** Delimiters must not be percent-encoded, so a delimited list can have only one item. */
function serializeList(
  parameter: ParameterView,
  items: readonly (string | undefined)[],
): SerializedParameter | undefined {
  const texts = items.filter((it) => it !== undefined)
  if (texts.length === 0 || texts.length < items.length) return undefined
  if (parameter.in === 'header') return named(parameter, texts.join(','))
  if (parameter.in === 'query' && parameter.style === 'form' && parameter.explode)
    return named(parameter, texts)
  return texts.length === 1 ? named(parameter, texts[0]) : undefined
}

function serializeObject(
  parameter: ParameterView,
  fields: readonly (readonly [string, unknown])[],
): SerializedParameter | undefined {
  const texts = fields.flatMap(([name, value]) => {
    const text = scalarString(value)
    return text === undefined ? [] : [[name, text] as const]
  })
  const { name, style, explode } = parameter
  if (texts.length < fields.length) return undefined
  if (parameter.in === 'header')
    return named(parameter, texts.map((it) => it.join(explode ? '=' : ',')).join(','))
  if (parameter.in !== 'query') return undefined
  if (style === 'deepObject') return Object.fromEntries(texts.map(([it, text]) => [`${name}[${it}]`, text]))
  return style === 'form' && explode ? Object.fromEntries(texts) : undefined
}
