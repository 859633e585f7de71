import { fieldsOf, pointerOf, valueAt } from '@partner-payments/contract'
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
 * invariant is what holds within each object of some schemas, such as that one time is not before
 * another: `{ of: ['Webhook'], notBefore: ['/created_at', '/updated_at'] }`.
 *
 * @param at Where the invariant stands in spec/behaviour.
 */
export function checkInvariant(context: Context, invariant: Invariant, at: string): void {
  const schemas = fieldsOf(valueAt(context.contract, '/components/schemas'))
  for (const [index, name] of invariant.of.entries()) {
    if (!(name in schemas)) {
      const next = didYouMean(name, Object.keys(schemas), '; correct it.')
      context.report(`${at}/of/${index}`, `The contract has no schema "${name}"${next}`)
      continue
    }

    const schema = resolveNode(context.contract, schemas[name])
    for (const [step, pointer] of comparedFields(invariant))
      expectField(context, [schema], pointer, `${at}${step}`)
    if (invariant.filledWhen)
      checkFilledWhen(context, schema, invariant.filledWhen, `${at}/filledWhen`)
    if (invariant.formOf) checkFormOf(context, schema, invariant.formOf, `${at}/formOf`)
  }
}

/**
 * Reports values in `filledWhen` that their fields cannot have. It says when a field is filled:
 * `{ field: '/settled_at', is: { '/status': ['settled'] } }`, if the status is `settled`.
 */
function checkFilledWhen(
  context: Context,
  schema: Node,
  filledWhen: NonNullable<Invariant['filledWhen']>,
  at: string,
): void {
  for (const [pointer, values] of entries(filledWhen.is)) {
    const place = pointerOf(`${at}/is`, pointer)
    for (const [index, value] of (values as readonly unknown[]).entries())
      expectEnumValue(context, [schema], { pointer, value }, `${place}/${index}`)
  }
}

/**
 * Reports values in `formOf` that their field cannot have, and patterns that are no regular
 * expressions. It gives the pattern of one field (`of`) for each value of another: `{ field:
 * '/dict_key_type', of: '/dict_key', forms: { EMAIL: '@', … } }`.
 */
function checkFormOf(
  context: Context,
  schema: Node,
  formOf: NonNullable<Invariant['formOf']>,
  at: string,
): void {
  for (const [value, pattern] of entries(formOf.forms)) {
    const place = pointerOf(`${at}/forms`, value)
    expectFormValue(context, schema, { pointer: formOf.field, value }, place)
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
