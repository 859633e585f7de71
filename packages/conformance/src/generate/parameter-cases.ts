import type { ParameterView } from '../model/parameter-views.ts'
import type { Schemas } from './schema/index.ts'
import type { ParameterCase } from './schema/parameter-strings.ts'

/** Invalid values of a parameter. A required one is also left out. */
export function parameterBreaks(schemas: Schemas, parameter: ParameterView): ParameterCase[] {
  return schemas.parameters.breaks(parameter.pointer, parameterText(schemas, parameter) ?? '')
}

/** Valid values at the boundaries of a parameter. */
export function parameterBoundaries(schemas: Schemas, parameter: ParameterView): ParameterCase[] {
  const cases = schemas.parameters.boundaries(parameter.pointer, parameterText(schemas, parameter) ?? '')
  return cases.filter(({ value }) => value !== undefined)
}

/** A valid value of the parameter: its example, or a generated one; undefined if there is none. */
export function parameterText(
  schemas: Pick<Schemas, 'parameters'>,
  { pointer, example }: ParameterView,
): string | undefined {
  return scalarText(example) ?? schemas.parameters.validOf(pointer)
}

/** A string, number or boolean as a string; undefined for other types. */
export function scalarText(value: unknown): string | undefined {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined
}
