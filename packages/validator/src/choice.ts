import { keywordMark, pointerOf, typeOf } from '@partner-payments/contract'
import {
  type Cursor,
  findProperty,
  listItems,
  listParts,
  questionOfKeyword,
  readKeyword,
  readTypes,
} from './cursor.ts'
import { type ContractError, unimplemented } from './document.ts'
import { ownProperty } from './json.ts'

/**
 * A `oneOf` or `anyOf` of which at most one branch applies to a value: by its type, or, of objects,
 * by the discriminator. Validating only that branch is fast and reports only its errors.
 */
export interface Choice {
  readonly schema: Cursor
  readonly keyword: 'oneOf' | 'anyOf'
  readonly branches: readonly Branch[]
  /** The discriminator, and the schema that requires it. */
  readonly tag?: { readonly property: string; readonly required: Cursor }
}

export interface Branch {
  readonly schema: Cursor
  readonly types: readonly string[]
  /** The value of the discriminator. */
  readonly value: unknown
}

const choiceCache = new WeakMap<Cursor, readonly Choice[]>()

/**
 * The choices of a schema: its `oneOf` and `anyOf`. A choice such as
 * `oneOf: [{ type: string }, { $ref: Payer }]` has two branches. Cached by the schema.
 *
 * @throws ContractError if more than one branch could apply to a value.
 */
export function readChoices(root: Cursor, schema: Cursor): readonly Choice[] {
  const cached = choiceCache.get(schema)
  if (cached) return cached

  const choices: Choice[] = []
  for (const keyword of ['oneOf', 'anyOf'] as const) {
    const branches = listItems(schema, keyword)
    if (branches.length > 0) choices.push(readChoice(root, { schema, keyword }, branches))
  }
  choiceCache.set(schema, choices)
  return choices
}

/**
 * The branches of a choice that may apply to a value: the one that declares its type, or its value
 * of the discriminator, such as `emv` for `{ type: 'emv' }`. All of them if none does, since the
 * value is wrong then.
 */
export function selectBranches({ branches, tag }: Choice, value: unknown): readonly Cursor[] {
  const declaring = branches.filter((branch) => {
    // The branches differ by the discriminator.
    if (tag) return branch.value === ownProperty(value, tag.property)
    return branch.types.includes(typeOf(value))
  })
  const candidates = declaring.length > 0 ? declaring : branches
  return candidates.map(({ schema }) => schema)
}

/**
 * What a finding about a choice cites: a keyword, its JSON pointer, and the open question that it
 * rests on, if any. A discriminator without a mark rests on the question of the branches.
 *
 * @param citedKeyword The discriminator, or the keyword that lists the branches.
 */
export function citeChoice(
  { schema, keyword }: Choice,
  citedKeyword: 'discriminator' | 'oneOf' | 'anyOf',
) {
  const questionOfBranches = questionOfKeyword(schema, keyword)
  return {
    keyword: citedKeyword,
    pointer: pointerOf(schema.pointer, citedKeyword),
    question: keywordMark(schema.node, citedKeyword) ?? questionOfBranches,
  }
}

/** The keyword `oneOf` or `anyOf` of a schema. */
type ChoiceKeyword = Pick<Choice, 'schema' | 'keyword'>

/**
 * Reads a choice of schemas. Throws if a value can be of two branches, which the validator does not
 * implement.
 */
function readChoice(
  root: Cursor,
  choiceKeyword: ChoiceKeyword,
  schemas: readonly Cursor[],
): Choice {
  const discriminator = readKeyword(choiceKeyword.schema, 'discriminator')
  const property = ownProperty(discriminator, 'propertyName')
  if (typeof property === 'string') return readChoiceByTag(root, choiceKeyword, schemas, property)
  return readChoiceByType(root, choiceKeyword, schemas)
}

/** Reads a choice whose branches differ by the type of a value. Throws if two have the same. */
function readChoiceByType(
  root: Cursor,
  choiceKeyword: ChoiceKeyword,
  schemas: readonly Cursor[],
): Choice {
  const branches = schemas.map((schema) => {
    return { schema, types: readTypes(root, schema), value: undefined }
  })
  if (!haveOwnTypes(branches)) throw ambiguousChoice(choiceKeyword)
  return { ...choiceKeyword, branches }
}

/**
 * Reads a choice whose branches are objects that differ by the constant of a property, such as
 * `type: { const: emv }`. Throws if one has no such constant, if two have the same, or if the
 * property may be absent.
 */
function readChoiceByTag(
  root: Cursor,
  choiceKeyword: ChoiceKeyword,
  schemas: readonly Cursor[],
  property: string,
): Choice {
  const branches = schemas.map((schema) => {
    return {
      schema,
      types: readTypes(root, schema),
      value: findConstant(root, schema, property),
    }
  })
  if (!haveOwnValues(branches)) throw ambiguousChoice(choiceKeyword)

  // All branches require the property. A finding about an object without it cites the first.
  const [firstSchema] = schemas
  const required = firstSchema && findSchemaThatRequires(root, firstSchema, property)
  if (!required) throw ambiguousChoice(choiceKeyword)
  return { ...choiceKeyword, branches, tag: { property, required } }
}

/** The error of a choice of which more than one branch could apply to a value. */
function ambiguousChoice({ schema, keyword }: ChoiceKeyword): ContractError {
  return unimplemented(
    pointerOf(schema.pointer, keyword),
    'use branches of different types, or of objects with a discriminator that is a constant of each',
  )
}

/**
 * Whether each branch states its types, and no two branches have one in common: the type of a value
 * then selects its branch.
 */
function haveOwnTypes(branches: readonly Branch[]): boolean {
  const taken = new Set<string>()
  for (const { types } of branches) {
    if (types.length === 0) return false

    // Every integer is a number.
    const widened = new Set(types.map((type) => (type === 'integer' ? 'number' : type)))
    for (const type of widened) {
      if (taken.has(type)) return false
      taken.add(type)
    }
  }
  return true
}

/** Whether the branches are objects, each with a constant of its own as the discriminator. */
function haveOwnValues(branches: readonly Branch[]): boolean {
  const taken = new Set<unknown>()
  for (const { types, value } of branches) {
    const isObject = types.every((type) => type === 'object')
    if (!isObject || value === undefined) return false

    if (taken.has(value)) return false
    taken.add(value)
  }
  return true
}

/**
 * The constant (`const`) that a branch has for a property, itself or in a part: a schema that
 * always applies with it, by `$ref` or `allOf`. Undefined if it has none, or does not require the
 * property.
 */
function findConstant(root: Cursor, branch: Cursor, property: string): unknown {
  if (!findSchemaThatRequires(root, branch, property)) return undefined

  for (const part of listParts(root, branch)) {
    const propertySchema = findProperty(part, property)
    if (!propertySchema) continue

    for (const propertyPart of listParts(root, propertySchema)) {
      const constant = readKeyword(propertyPart, 'const')
      if (constant !== undefined) return constant
    }
  }
  return undefined
}

/** The part of a branch that has the property in its `required`; undefined if none has. */
function findSchemaThatRequires(
  root: Cursor,
  branch: Cursor,
  property: string,
): Cursor | undefined {
  return listParts(root, branch).find((part) => {
    const required = readKeyword(part, 'required')
    return Array.isArray(required) && required.includes(property)
  })
}
