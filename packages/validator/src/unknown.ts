import { pointerOf } from '@partner-payments/contract'
import { readChoices, selectBranches } from './choice.ts'
import { type Cursor, findChild, findProperty, listParts } from './cursor.ts'
import { type Finding, finding } from './finding.ts'
import { isObjectOrArray, type ObjectOrArray } from './json.ts'
import type { Location } from './schema.ts'

/**
 * A finding for each property of a value, at any depth, that its schema does not declare, such as
 * `/payer/nmae`. Ignores free-form objects, of which the schema declares no property.
 */
export function unknownProperties(
  root: Cursor,
  schema: Cursor,
  value: unknown,
  location: Location,
  limit: number,
): Finding[] {
  const findings: Finding[] = []
  visit([schema], value, location.pointer)
  return findings

  /** Adds the findings at and below a value, to which all of the schemas apply. */
  function visit(schemas: readonly Cursor[], node: unknown, pointer: string): void {
    if (!isObjectOrArray(node) || schemas.length === 0 || isEmpty(node)) return

    const applied = schemas.flatMap((part) => appliedSchemas(root, part, node))
    if (Array.isArray(node)) visitItems(applied, node, pointer)
    else visitProperties(applied, node, pointer)
  }

  /** Adds the findings of the items of an array. The schemas apply to the array. */
  function visitItems(
    schemas: readonly Cursor[],
    items: readonly unknown[],
    pointer: string,
  ): void {
    const itemSchemas = listKeyword(schemas, 'items')
    if (itemSchemas.length === 0) return

    for (const [i, item] of items.entries()) {
      if (findings.length >= limit) return
      if (isObjectOrArray(item)) visit(itemSchemas, item, `${pointer}/${i}`)
    }
  }

  /**
   * Adds the findings of the properties of an object. A property is unknown if no schema has it,
   * and one of them declares others.
   */
  function visitProperties(
    schemas: readonly Cursor[],
    object: ObjectOrArray,
    pointer: string,
  ): void {
    const [declaration] = listKeyword(schemas, 'properties')
    for (const [name, property] of Object.entries(object)) {
      if (findings.length >= limit) return

      const propertyPointer = pointerOf(pointer, name)
      const propertySchemas = listPropertySchemas(schemas, name)
      const isDeclared = propertySchemas.length > 0
      if (isDeclared) visit(propertySchemas, property, propertyPointer)
      // Without any declaration, the object is free-form.
      else if (declaration)
        findings.push(unknownProperty({ ...location, pointer: propertyPointer }, declaration))
    }
  }
}

/** Whether an object or array has nothing inside. A body may have hundreds of thousands of them. */
function isEmpty(node: object): boolean {
  if (Array.isArray(node)) return node.length === 0
  for (const _ in node) return false
  return true
}

/**
 * The schemas that apply to a value: the schema, those in its `$ref` and `allOf`, and of each
 * choice (`oneOf`, `anyOf`) the selected branch, or all branches if none can be selected.
 */
function appliedSchemas(root: Cursor, schema: Cursor, value: unknown): readonly Cursor[] {
  const applied: Cursor[] = []
  for (const part of listParts(root, schema)) {
    applied.push(part)
    for (const choice of readChoices(root, part)) {
      for (const branch of selectBranches(choice, value))
        applied.push(...appliedSchemas(root, branch, value))
    }
  }
  return applied
}

/** The values of a keyword, of those schemas that have it. */
function listKeyword(schemas: readonly Cursor[], keyword: string): Cursor[] {
  const values: Cursor[] = []
  for (const schema of schemas) {
    const value = findChild(schema, keyword)
    if (value) values.push(value)
  }
  return values
}

/** What the schemas of an object say about its property: each by its name, or by `additionalProperties`. */
function listPropertySchemas(schemas: readonly Cursor[], name: string): Cursor[] {
  const propertySchemas: Cursor[] = []
  for (const schema of schemas) {
    const propertySchema = findProperty(schema, name) ?? findChild(schema, 'additionalProperties')
    if (propertySchema) propertySchemas.push(propertySchema)
  }
  return propertySchemas
}

/**
 * The finding of a property that no schema declares. It cites the `properties` of a schema that
 * declares others.
 */
function unknownProperty(location: Location, declaration: Cursor): Finding {
  const { pointer, question } = declaration
  return finding(
    {
      ...location,
      contract: pointer,
      keyword: 'unknown',
      message: 'not mentioned by the contract',
    },
    question,
  )
}
