import type { Validator } from '@partner-payments/validator'
import { below, type Document, type Node, nodeOf } from './document.ts'

/** A parameter of an operation (OpenAPI 3.1, "Parameter Object"). */
export interface ParameterView {
  readonly name: string
  /** `path`, `query` or `header`. */
  readonly in: string
  readonly pointer: string
  /** The first example of the contract. */
  readonly example: unknown
  readonly isRequired: boolean
  /** Whether the schema accepts a string. */
  readonly isValid: (text: string) => boolean
}

type Judge = Pick<Validator, 'validateParameter'>

/** A parameter with an error in the contract has no location. */
const PLACES = ['path', 'query', 'header']

/** OpenAPI ignores parameters with these header names, or HTTP sets them. */
const IGNORED = ['accept', 'content-type', 'authorization', 'content-length', 'host', 'connection']

/** Parameters of the operation override those of the path with the same name and location. */
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
  return {
    name: String(node.name),
    in: String(node.in),
    pointer,
    example: exampleIn(document, pointer, node),
    isRequired: node.required === true,
    isValid: (text) => validator.validateParameter(pointer, text).length === 0,
  }
}

function exampleIn(document: Document, pointer: string, node: Node): unknown {
  const [name] = Object.keys(nodeOf(node.examples))
  const named = name === undefined ? undefined : document.follow(below(pointer, 'examples', name)).node.value
  return node.example ?? named
}
