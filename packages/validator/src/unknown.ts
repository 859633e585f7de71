import { pointerOf } from '@partner-payments/contract'
import { readChoices, selectBranches } from './choice.ts'
import { type Cursor, findChild, listParts } from './cursor.ts'
import { type Finding, finding } from './finding.ts'
import { isObjectOrArray, type ObjectOrArray } from './json.ts'
import type { Location } from './schema.ts'

/**
 * The properties of a value, at any depth, that its schema does not declare. Ignores free-form
 * objects.
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
    const itemSchemas = schemas.flatMap((part) => findChild(part, 'items') ?? [])
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
    const declaration = schemas
      .map((part) => findChild(part, 'properties'))
      .find((properties) => properties !== undefined)

    for (const [name, property] of Object.entries(object)) {
      if (findings.length >= limit) return

      const propertyPointer = pointerOf(pointer, name)
      const propertySchemas = schemas.flatMap((part) => schemaOfProperty(part, name) ?? [])
      const isUnknown = propertySchemas.length === 0 && declaration !== undefined
      if (isUnknown)
        findings.push(unknownProperty({ ...location, pointer: propertyPointer }, declaration))
      else visit(propertySchemas, property, propertyPointer)
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
 * The schemas that apply to a value: of a choice the selected branch, or all branches if none can
 * be selected.
 */
function appliedSchemas(root: Cursor, schema: Cursor, value: unknown): readonly Cursor[] {
  return listParts(root, schema).flatMap((part) => {
    const branches = readChoices(root, part).flatMap((choice) => selectBranches(choice, value))
    return [part, ...branches.flatMap((branch) => appliedSchemas(root, branch, value))]
  })
}

/** The schema of a property by its name, or of all properties that have no schema by name. */
function schemaOfProperty(schema: Cursor, name: string): Cursor | undefined {
  const properties = findChild(schema, 'properties')
  const named = properties && findChild(properties, name)
  return named ?? findChild(schema, 'additionalProperties')
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
