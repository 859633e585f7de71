import { pointerOf } from '@partner-payments/contract'
import type { Behaviour } from '../../dist/behaviour.d.ts'
import type { Node } from '../marks.ts'
import { resolveNode } from '../operations.ts'
import { patternError } from '../pattern.ts'
import { didYouMean } from '../suggest.ts'
import { entries, fieldsInKeys, fieldsInList, type NamedField } from './entries.ts'
import { type Context, expectEnumValue, expectField, expectFormValue } from './expectations.ts'

type Invariant = NonNullable<Behaviour['invariants']>[string]

/**
 * Reports schemas, fields and values that an invariant names and the contract does not have. An
 * invariant is what holds within one object, such as that two amounts add up to a third.
 *
 * @param at Where the invariant stands in spec/behaviour.
 */
export function checkInvariant(context: Context, invariant: Invariant, at: string): void {
  const { contract, report } = context
  const namedFields = comparedFields(invariant)
  for (const [index, name] of invariant.of.entries()) {
    const schema = resolveNode(contract, { $ref: `#/components/schemas/${name}` })
    if (Object.keys(schema).length === 0) {
      const names = Object.keys((contract.components as Record<string, Node>).schemas ?? {})
      const next = didYouMean(name, names, '; correct it.')
      report(`${at}/of/${index}`, `The contract has no schema "${name}"${next}`)
      continue
    }
    for (const [step, pointer] of namedFields)
      expectField(context, [schema], pointer, `${at}${step}`)
    checkInvariantValues(context, schema, invariant, at)
  }
}

/**
 * Reports values that the fields of an invariant cannot have, and patterns that are no regular
 * expressions. `filledWhen` says for which values of a field another one is filled; `formOf` gives
 * a pattern for each value of a field.
 */
function checkInvariantValues(
  context: Context,
  schema: Node,
  { filledWhen, formOf }: Invariant,
  at: string,
): void {
  for (const [pointer, values] of entries(filledWhen?.is))
    for (const [index, value] of (values as readonly unknown[]).entries()) {
      const place = `${pointerOf(`${at}/filledWhen/is`, pointer)}/${index}`
      expectEnumValue(context, [schema], { pointer, value }, place)
    }

  for (const [value, pattern] of entries(formOf?.forms)) {
    const place = pointerOf(`${at}/formOf/forms`, value)
    // With forms, there is always their field.
    const pointer = formOf?.field ?? ''
    expectFormValue(context, schema, { pointer, value }, place)
    const error = patternError(pattern)
    if (error)
      context.report(place, `"${pattern}" is not a regular expression (${error}); correct it.`)
  }
}

/**
 * The fields that an invariant names, as pairs of where it names the field and the pointer of the
 * field: `['/sum/total', '/amount']`.
 */
function comparedFields(invariant: Invariant): NamedField[] {
  const { sum, filledWhen, formOf, named, equal, notBefore, unique, sameFor } = invariant
  return [
    ...fieldsInList('/equal', equal),
    ...fieldsInList('/notBefore', notBefore),
    ...fieldsInList('/unique', unique),
    ['/sameFor/value', sameFor?.value],
    ...fieldsInList('/sameFor/fields', sameFor?.fields),
    ['/sum/total', sum?.total],
    ...fieldsInList('/sum/plus', sum?.plus),
    ...fieldsInList('/sum/minus', sum?.minus),
    ['/formOf/field', formOf?.field],
    ['/formOf/of', formOf?.of],
    ['/filledWhen/field', filledWhen?.field],
    ...fieldsInKeys('/filledWhen/is', filledWhen?.is),
    ...entries(named?.fields).map(
      ([name, pointer]): NamedField => [pointerOf('/named/fields', name), pointer],
    ),
  ]
}
