import type { Validator } from '@partner-payments/validator'
import { below, type Document, type Node, nodeOf } from './document.ts'

/** A parameter of an operation (OpenAPI 3.1, "Parameter Object"). */
export interface ParameterView {
  readonly name: string
  /** Where it is sent: path, query, header or cookie. */
  readonly in: string
  readonly pointer: string
  /** The first value that the contract shows. */
  readonly example: unknown
  readonly isRequired: boolean
  /** What is sent: a text, a list or members of texts, or a value in a media type of its own. */
  readonly kind: 'text' | 'list' | 'object' | 'content'
  readonly style: string
  readonly explode: boolean
  /** Whether its schema allows a text, as far as that can be told of one text. */
  readonly allows: (text: string) => boolean
}

type Judge = Pick<Validator, 'validateParameter'>

/** Of a parameter with an error in the contract nothing is left, no place either. */
const PLACES = ['path', 'query', 'header', 'cookie']

/** Headers that are described elsewhere, whatever a parameter of their name says. */
const IGNORED = ['accept', 'content-type', 'authorization', 'content-length', 'host', 'connection']

/** The parameters of an operation; one of its own goes before one of its path with the same name and place. */
export function parametersOf(document: Document, pointer: string, validator: Judge): ParameterView[] {
  const item = pointer.slice(0, pointer.lastIndexOf('/'))
  const all = [below(item, 'parameters'), below(pointer, 'parameters')].flatMap((list) =>
    Object.keys(nodeOf(document.at(list))).map((i) => parameterAt(document, below(list, i), validator)),
  )
  const known = all.filter(
    (it) => PLACES.includes(it.in) && !(it.in === 'header' && IGNORED.includes(it.name.toLowerCase())),
  )
  return [...new Map(known.map((it) => [`${it.in} ${it.name}`, it])).values()]
}

function parameterAt(document: Document, at: string, validator: Judge): ParameterView {
  const { pointer, node } = document.follow(at)
  const place = String(node.in)
  const style = String(node.style ?? (/^(query|cookie)$/.test(place) ? 'form' : 'simple'))
  const kind = node.schema === undefined ? 'content' : kindOf(document, below(pointer, 'schema'))
  return {
    name: String(node.name),
    in: place,
    pointer,
    example: exampleIn(document, pointer, node),
    isRequired: node.required === true,
    kind,
    style,
    explode: Boolean(node.explode ?? style === 'form'),
    allows: (text) => kind !== 'text' || validator.validateParameter(pointer, text).length === 0,
  }
}

/** Its own, or that of its schema. */
function exampleIn(document: Document, pointer: string, node: Node): unknown {
  const [name] = Object.keys(nodeOf(node.examples))
  const named = name === undefined ? undefined : document.follow(below(pointer, 'examples', name)).node.value
  return node.example ?? named
}

/** Schemas in schemas that are looked at, at most. */
const MAX_DEPTH = 16

function kindOf(document: Document, schema: string, depth = 0): ParameterView['kind'] {
  const { pointer, node } = document.follow(schema)
  const types = [node.type ?? []].flat()
  if (types.includes('array') || node.items !== undefined) return 'list'
  if (types.includes('object') || node.properties !== undefined) return 'object'
  const parts = ['allOf', 'oneOf', 'anyOf'].flatMap((keyword) =>
    Object.keys(nodeOf(node[keyword])).map((i) => below(pointer, keyword, i)),
  )
  const kinds = depth > MAX_DEPTH ? [] : parts.map((part) => kindOf(document, part, depth + 1))
  return kinds.find((it) => it !== 'text') ?? 'text'
}
