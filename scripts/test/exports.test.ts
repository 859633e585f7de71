import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import SwaggerParser from '@apidevtools/swagger-parser'
import { serve as serveMock } from '@partner-payments/mock'
import { serve as serveSandbox } from '@partner-payments/sandbox'
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import newman, { type NewmanRunSummary } from 'newman'
import type { OpenAPIV3 } from 'openapi-types'
import { describe, expect, it, onTestFinished } from 'vitest'
import { exportsOf } from '../exports.ts'

const files = await exportsOf()
const operations = operationsOf(contract)

describe('the contract as OpenAPI 3.0', () => {
  const document = files['partner-payments-openapi-3.0.json'] as OpenAPIV3.Document
  const text = JSON.stringify(document)

  it('has every operation, and swagger-parser accepts it', async () => {
    const validated = await SwaggerParser.validate(structuredClone(document))
    expect(validated).toHaveProperty('openapi', expect.stringMatching(/^3\.0/))
    expect(operationsOf(document)).toEqual(operations)
  })

  it('has no component that nothing refers to', () => {
    const { securitySchemes: _, ...components } = document.components ?? {}
    const names = Object.entries(components).flatMap(([kind, all]) =>
      Object.keys(all).map((name) => `"#/components/${kind}/${name}"`),
    )
    expect(names.length).toBeGreaterThan(100)
    expect(names.filter((name) => !text.includes(name))).toEqual([])
  })

  it('has nothing that parsers in Java or generators refuse: lookaheads, bodies of links that are no string', () => {
    expect(text).not.toMatch(/"pattern":"[^"]*\(\?[=!<]/)
    expect(text).not.toMatch(/"links":\{[^}]*"requestBody":\{/)
  })

  it('has an alias of a string as one schema with all keywords', () => {
    const { StaticQrCodeRequest } = document.components?.schemas ?? {}
    const { amount } = Object(StaticQrCodeRequest).properties
    expect(amount).toMatchObject({ type: 'string', pattern: '^[0-9]{1,10}\\.[0-9]{2}$' })
    expect(amount).not.toHaveProperty('allOf')
  })
})

it('exports the contract without references', () => {
  const document = files['partner-payments-openapi-dereferenced.json']
  expect(JSON.stringify(document)).not.toContain('"$ref"')
  expect(operationsOf(Object(document))).toEqual(operations)
})

describe('the Postman collection', () => {
  it.each([
    ['twice on a sandbox', 2, () => serveSandbox({ port: 0 })],
    ['on a mock', 1, () => serveMock({ port: 0, log() {} })],
  ])('runs %s: all operations, with the status and schema of the contract', async (_, times, serve) => {
    const service = await serve()
    onTestFinished(() => service.close())
    const { run } = await runCollection(service.url, times)
    expect(run.failures.map(({ source, error }) => `${source?.name}: ${error.message}`)).toEqual([])
    expect([...new Set(run.executions.map(({ item }) => idOf(item)))].toSorted()).toEqual(operations)
    // Each has a status, and all but one a body.
    expect(run.stats.assertions.total).toBe(times * (2 * operations.length - 1))
  })

  it('fails where a service returns another status or body', async () => {
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'application/json').end('{}')
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { run } = await runCollection(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const failed = run.executions.filter(({ assertions }) => assertions.some(({ error }) => error))
    expect(failed.map(({ item }) => idOf(item)).toSorted()).toEqual(operations)
  })
})

function runCollection(url: string, iterationCount = 1): Promise<NewmanRunSummary> {
  const collection = files['partner-payments.postman_collection.json'] ?? {}
  const envVar = [{ key: 'base_url', value: url }]
  return new Promise((resolve, reject) => {
    newman.run({ collection, envVar, iterationCount }, (error, summary) =>
      error ? reject(error) : resolve(summary),
    )
  })
}

/** The request of an operation begins its name with the id. */
function idOf({ name }: { readonly name: string }): string {
  return name.slice(0, name.indexOf(':'))
}

/** The ids of all operations, sorted. */
function operationsOf({ paths }: { readonly paths: object }): string[] {
  const operations = Object.values(paths).flatMap((item) => Object.values(Object(item)))
  return operations.flatMap((it) => Object(it).operationId ?? []).sort()
}
