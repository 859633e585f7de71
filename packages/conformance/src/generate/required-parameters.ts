import { below, type Document, type Node } from '../model/document.ts'
import type { Input } from '../model/exchange.ts'
import { jsonOf } from '../model/media-types.ts'
import type { OperationView } from '../model/operation-view.ts'
import type { ParameterView } from '../model/parameter-views.ts'
import { freshString, isOneTime } from './fresh-values.ts'
import type { Schemas } from './schema/index.ts'
import { type SerializedParameter, serializeParameter } from './serialize-parameter.ts'

/** Supplies the parameters without which an operation refuses every request. */
export interface RequiredParameters {
  /** Adds missing required parameters. Explicit values, also undefined ones, are kept. */
  filled(view: OperationView, input: Input): Input
  /** The value of a path parameter that no link supplies; undefined if there is none. */
  pathValue(parameter: ParameterView): string | undefined
  /** The name of a required part without a known value; undefined if there is none. */
  missing(view: OperationView): string | undefined
}

interface RequiredOptions {
  readonly document: Document
  readonly schemas: Pick<Schemas, 'validOf' | 'parameters'>
  readonly random: () => number
}

/** Takes values from the examples of the contract, or generates them from schemas. */
export function createRequiredParameters({ document, schemas, random }: RequiredOptions): RequiredParameters {
  const known = new Map<ParameterView, SerializedParameter | undefined>()

  function shownOf({ pointer, kind, example }: ParameterView): unknown {
    if (example !== undefined) return example
    if (kind === 'scalar') return schemas.parameters.validOf(pointer)
    if (kind !== 'content') return schemas.validOf(below(pointer, 'schema'))
    const media = jsonOf(document.at(pointer) as Node, below(pointer, 'content'))
    return media && (media.node.example ?? schemas.validOf(below(media.pointer, 'schema')))
  }

  function serialized(parameter: ParameterView): SerializedParameter | undefined {
    if (!known.has(parameter)) known.set(parameter, serializeParameter(parameter, shownOf(parameter)))
    return known.get(parameter)
  }

  /** One-time headers get a fresh value each time. */
  function partsOf({ parameters }: OperationView, place: string): SerializedParameter {
    const needed = parameters.filter((it) => it.in === place && it.isRequired)
    return Object.assign({}, ...needed.map((it) => (isOneTime(it) ? fresh(it) : serialized(it))))
  }

  function fresh(parameter: ParameterView): SerializedParameter | undefined {
    const { name, pointer } = parameter
    const value = serialized(parameter)?.[name]
    const schema = document.follow(below(pointer, 'schema')).node
    return value === undefined ? undefined : { [name]: freshString(schema, String(value), random) }
  }

  return {
    filled: (view, input) =>
      view.parameters.every(({ isRequired, in: place }) => !isRequired || place === 'path')
        ? input
        : {
            ...input,
            query: { ...partsOf(view, 'query'), ...input.query },
            headers: { ...asStrings(partsOf(view, 'header')), ...input.headers },
            cookies: { ...asStrings(partsOf(view, 'cookie')), ...input.cookies },
          },
    pathValue(parameter) {
      const text = serialized(parameter)?.[parameter.name]
      return text === undefined ? undefined : String(text)
    },
    missing(view) {
      const { parameters, bodyPointer, examples, isBodyRequired } = view
      const isEmpty = isBodyRequired && bodyPointer !== undefined && examples.length === 0
      if (isEmpty && schemas.validOf(bodyPointer) === undefined) return 'body'
      return parameters.find((it) => it.isRequired && it.in !== 'path' && !serialized(it))?.name
    },
  }
}

/** Only query parameters can be lists. */
function asStrings(serialized: SerializedParameter): Record<string, string> {
  return Object.fromEntries(Object.entries(serialized).map(([name, value]) => [name, String(value)]))
}
