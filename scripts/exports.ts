import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import SwaggerParser from '@apidevtools/swagger-parser'
import { Converter } from '@apiture/openapi-down-convert'
import { isObject, type Json, valueAt } from '@partner-payments/contract'
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

/**
 * A node of OpenAPI 3.1 as OpenAPI 3.0 allows it. That has no type null, which the converter leaves
 * where it is the only type. Parsers in Java accept only a string as the body of a link.
 */
function adaptNode(name: string, value: unknown): unknown {
  if (!isObject(value)) return value
  if (value.type === 'null') return { ...value, type: 'string', nullable: true, enum: [null] }
  if (name !== 'links') return value

  const links: Record<string, unknown> = {}
  for (const [key, link] of Object.entries(value))
    links[key] = isObject(link) ? { ...link, requestBody: undefined } : link
  return links
}

/**
 * Replaces an alias of a string or number by a copy of what it stands for. An alias is a schema whose
 * `allOf` is one reference, as in `{ allOf: [{ $ref }], description }`: generators read either the
 * reference or the keywords beside it.
 */
function inlineAlias(value: unknown, document: object): unknown {
  if (!isObject(value) || !Array.isArray(value.allOf) || value.allOf.length !== 1) return value

  const [part] = value.allOf
  const ref = isObject(part) && typeof part.$ref === 'string' ? part.$ref : ''
  const target = inlineAlias(valueAt(document, ref), document)
  const isSimple = isObject(target) && SIMPLE_TYPES.has(String(target.type)) && !target.enum
  if (!isSimple) return value

  const { allOf: _, ...otherKeywords } = value
  return { ...target, ...otherKeywords }
}

const SIMPLE_TYPES: ReadonlySet<string> = new Set(['string', 'number', 'integer'])

/**
 * The document without components that nothing refers to. Repeated, since a removed component may
 * have been the last to refer to another one.
 */
function withoutUnused(document: { components: Json }): object {
  const text = JSON.stringify(document)
  const components: Record<string, unknown> = {}
  for (const [kind, componentsOfKind] of Object.entries(document.components)) {
    // Requirements name a scheme without a reference.
    const isUsed = ([name]: [string, unknown]) =>
      kind === 'securitySchemes' || text.includes(`"#/components/${kind}/${name}"`)
    const entries = isObject(componentsOfKind) ? Object.entries(componentsOfKind) : []
    components[kind] = Object.fromEntries(entries.filter(isUsed))
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
