import type { Input } from '../model/exchange.ts'
import type { OperationView } from '../model/operation-view.ts'
import type { ParameterView } from '../model/parameter-views.ts'
import { parameterText } from './parameter-cases.ts'
import type { Schemas } from './schema/index.ts'

/** Supplies the parameters without which an operation refuses every request. */
export interface RequiredParameters {
  /** Adds missing required parameters. Explicit values, also undefined ones, are kept. */
  filled(view: OperationView, input: Input): Input
  /** The value of a path parameter that no link supplies; undefined if there is none. */
  pathValue(parameter: ParameterView): string | undefined
  /** The name of a required part without a known value; undefined if there is none. */
  missing(view: OperationView): string | undefined
}

/** Takes values from the examples of the contract, or generates them from schemas. */
export function createRequiredParameters(
  schemas: Pick<Schemas, 'validOf' | 'parameters'>,
): RequiredParameters {
  const textOf = (parameter: ParameterView) => parameterText(schemas, parameter)
  const neededBy = ({ parameters }: OperationView) =>
    parameters.filter((it) => it.isRequired && it.in !== 'path')
  const textsIn = (needed: readonly ParameterView[], place: string): Record<string, string> =>
    Object.fromEntries(needed.flatMap((it) => (it.in === place ? [[it.name, textOf(it) ?? '']] : [])))
  return {
    filled(view, input) {
      const needed = neededBy(view)
      if (needed.length === 0) return input
      return {
        ...input,
        query: { ...textsIn(needed, 'query'), ...input.query },
        headers: { ...textsIn(needed, 'header'), ...input.headers },
      }
    },
    pathValue: textOf,
    missing(view) {
      const { bodyPointer, examples, isBodyRequired } = view
      const isEmpty = isBodyRequired && bodyPointer !== undefined && examples.length === 0
      if (isEmpty && schemas.validOf(bodyPointer) === undefined) return 'body'
      return neededBy(view).find((it) => textOf(it) === undefined)?.name
    },
  }
}
