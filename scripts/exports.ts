import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Converter } from '@apiture/openapi-down-convert'
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { convertV2 } from 'openapi-to-postmanv2'

/** The contract in the formats of other tools, by file name. OpenAPI 3.0 has no webhooks, so the events are left out. */
export async function exportsOf(): Promise<Readonly<Record<string, object>>> {
  const { summary: _, ...info } = contract.info
  const document = JSON.parse(JSON.stringify({ ...contract, info }), nullable)
  const openapi30 = new Converter(document, { allOfTransform: true }).convert()
  return {
    'partner-payments-openapi-3.0.json': openapi30,
    'partner-payments.postman_collection.json': await collectionOf(openapi30),
  }
}

/** OpenAPI 3.0 has no type null. The converter leaves it where it is the only type. */
function nullable(_: string, value: unknown): unknown {
  const isNull = typeof value === 'object' && value !== null && 'type' in value && value.type === 'null'
  return isNull ? { ...value, type: 'string', nullable: true, enum: [null] } : value
}

/** Writes the exports into a folder, and returns their names. */
export async function writeExports(folder: string): Promise<string[]> {
  const files = Object.entries(await exportsOf())
  for (const [file, value] of files)
    writeFileSync(join(folder, file), `${JSON.stringify(value, undefined, 2)}\n`)
  return files.map(([file]) => file)
}

/**
 * A collection that Postman and Bruno can import, with bodies from the examples. The converter changes its input, so it
 * gets a copy.
 */
function collectionOf(document: object): Promise<object> {
  const options = { folderStrategy: 'Tags', parametersResolution: 'Example' }
  return new Promise((resolve, reject) => {
    convertV2(
      { type: 'json', data: structuredClone(document) },
      options,
      (error, { result, reason, output = [] }) => {
        const [collection] = output
        if (error || !result || !collection) reject(error ?? new Error(reason ?? 'no collection'))
        else resolve(collection.data)
      },
    )
  })
}
