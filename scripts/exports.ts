import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import SwaggerParser from '@apidevtools/swagger-parser'
import { Converter } from '@apiture/openapi-down-convert'
import { fieldsOf, isObject, type Json, valueAt } from '@partner-payments/contract'
import type { Behaviour } from '@partner-payments/spec/behaviour'
import behaviour from '@partner-payments/spec/behaviour.json' with { type: 'json' }
import { listOperations, statedBody } from '@partner-payments/spec/build'
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { createCollection, type Document } from './postman.ts'

/**
 * The contract in the formats of other tools, by file name: OpenAPI 3.0, without references, and as
 * a Postman collection.
 */
export async function createExports(): Promise<Readonly<Record<string, object>>> {
  // The type of a JSON module has `string` where the tool wants single words, such as `query`.
  const copy = structuredClone(contract) as unknown as Parameters<
    typeof SwaggerParser.dereference
  >[0]
  const dereferenced: object = await SwaggerParser.dereference(copy)
  return {
    'partner-payments-openapi-3.0.json': toOpenApi30(),
    'partner-payments-openapi-dereferenced.json': dereferenced,
    'partner-payments.postman_collection.json': createCollection({
      document: dereferenced as Document,
      behaviour: behaviour as Behaviour,
      shownBodies: listShownBodies(),
    }),
  }
}

/**
 * The schemas of response bodies that the document shows, by operationId. What the contract assumes
 * about them is left out.
 */
function listShownBodies(): ReadonlyMap<string, object> {
  const bodies = new Map<string, object>()
  for (const operation of listOperations(contract)) {
    const body = statedBody(contract, operation)
    if (body) bodies.set(operation.id, body)
  }
  return bodies
}

/** OpenAPI 3.0 has no webhooks, so it leaves the events out. */
function toOpenApi30(): object {
  const { summary: _, ...info } = contract.info
  const document = JSON.parse(JSON.stringify({ ...contract, info }), adaptNode)
  const converted = new Converter(document, { allOfTransform: true }).convert()
  const whole = JSON.parse(JSON.stringify(converted), (_, value) => inlineAlias(value, converted))
  return withoutUnused(whole)
}

/** A node of OpenAPI 3.1 as OpenAPI 3.0 allows it. */
function adaptNode(name: string, value: unknown): unknown {
  if (!isObject(value)) return value
  if (name === 'links') return withoutBodies(value)
  // 3.0 has no such type, which the converter leaves where it is the only one.
  if (value.type === 'null') return { ...value, type: 'string', nullable: true, enum: [null] }
  return value
}

/** Parsers in Java accept only a string as the body of a link. */
function withoutBodies(links: Json): Json {
  const copy: Record<string, unknown> = {}
  for (const [name, link] of Object.entries(links))
    copy[name] = isObject(link) ? { ...link, requestBody: undefined } : link
  return copy
}

/**
 * Replaces an alias of a string or number by a copy of what it stands for. An alias is a schema whose
 * `allOf` is one reference, as in `{ allOf: [{ $ref }], description }`: generators read either the
 * reference or the keywords beside it.
 */
function inlineAlias(value: unknown, document: object): unknown {
  if (!isObject(value)) return value
  const ref = readAlias(value)
  if (ref === undefined) return value

  const target = inlineAlias(valueAt(document, ref), document)
  const isSimple = isObject(target) && SIMPLE_TYPES.has(String(target.type)) && !target.enum
  if (!isSimple) return value

  const { allOf: _, ...otherKeywords } = value
  return { ...target, ...otherKeywords }
}

/** The reference of an alias; undefined if the schema is none. */
function readAlias({ allOf }: Json): string | undefined {
  if (!Array.isArray(allOf) || allOf.length !== 1) return undefined
  const [part] = allOf
  return isObject(part) && typeof part.$ref === 'string' ? part.$ref : undefined
}

const SIMPLE_TYPES: ReadonlySet<string> = new Set(['string', 'number', 'integer'])

/**
 * The document without components that nothing refers to. Repeated, since a removed component may
 * have been the last to refer to another one.
 */
function withoutUnused(document: { components: Json }): object {
  const text = JSON.stringify(document)
  const components: Record<string, Json> = {}
  for (const [kind, componentsOfKind] of Object.entries(document.components)) {
    const used: Record<string, unknown> = {}
    for (const [name, component] of Object.entries(fieldsOf(componentsOfKind))) {
      // Requirements name a scheme without a reference.
      const isNamedOtherwise = kind === 'securitySchemes'
      const isUsed = isNamedOtherwise || text.includes(`"#/components/${kind}/${name}"`)
      if (isUsed) used[name] = component
    }
    components[kind] = used
  }

  const smaller = { ...document, components }
  const isSmaller = JSON.stringify(smaller).length < text.length
  return isSmaller ? withoutUnused(smaller) : document
}

/** Writes the exports into a folder, and returns their names. */
export async function writeExports(folder: string): Promise<string[]> {
  const files = Object.entries(await createExports())
  for (const [file, value] of files)
    writeFileSync(join(folder, file), `${JSON.stringify(value, undefined, 2)}\n`)
  return files.map(([file]) => file)
}
