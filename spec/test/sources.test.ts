import { readFileSync } from 'node:fs'
import { pointerOf, stepsOf } from '@partner-payments/contract'
import { expect, it } from 'vitest'
import { SPEC } from '../build/build.ts'
import type { Node } from '../lint/marks.ts'
import { contract, read } from './contract.ts'

const sources = read('sources.json') as Readonly<Record<string, string>>
const texts = new Map<string, string[]>()

/** The source text at a pointer. */
function lineAt(pointer: string): string {
  const [file = '', line] = sources[pointer]?.split(':') ?? []
  if (!texts.has(file)) texts.set(file, readFileSync(`${SPEC}/${file}`, 'utf8').split('\n'))
  return texts.get(file)?.[Number(line) - 1] ?? ''
}

function pointersOf(value: unknown, pointer = ''): string[] {
  if (typeof value !== 'object' || value === null) return [pointer]
  const below = Object.entries(value).flatMap(([step, child]) =>
    pointersOf(child, pointerOf(pointer, step)),
  )
  return [pointer, ...below]
}

/** Nodes with another name in their source file, and nodes that the bundler created. */
const UNNAMED =
  /^$|^\/(paths|webhooks)\/[^/]+$|^\/components\/(headers|schemas|examples|responses|parameters)$/

/**
 * Nodes that the build composes: descriptions with assumptions, and the meanings of enum values.
 */
const COMPOSED = /\/description$|\/x-enumDescriptions(\/|$)/

it('has exactly the nodes of the bundle', () => {
  expect(Object.keys(sources).sort()).toEqual(pointersOf(contract).sort())
})

it('returns a line with the name of every field', () => {
  const named = Object.keys(sources).filter((pointer) => {
    const isItem = /\/\d{1,2}$/.test(pointer)
    return !isItem && !UNNAMED.test(pointer) && !COMPOSED.test(pointer)
  })
  expect(named.length).toBeGreaterThan(3000)
  const wrong = named.filter((pointer) => {
    const name = stepsOf(pointer).at(-1) ?? ''
    const line = lineAt(pointer)
    const hasName = line.includes(`${name}:`) || line.includes(`'${name}':`)
    return !hasName
  })
  expect(wrong).toEqual([])
})

it('locates every component at its key in the file of its kind', () => {
  for (const [kind, components] of Object.entries(contract.components as Record<string, Node>)) {
    for (const name of Object.keys(components)) {
      const pointer = `/components/${kind}/${name}`
      expect(lineAt(pointer).trimStart(), pointer).toMatch(new RegExp(`^${name}:`))
      expect(sources[pointer]?.split(':')[0], pointer).toMatch(FILES[kind] ?? /^never$/)
    }
  }
})

const FILES: Readonly<Record<string, RegExp>> = {
  schemas: /^schemas\/\w+\.yaml$/,
  examples: /^examples\/\w+\.yaml$/,
  responses: /^responses\.yaml$/,
  headers: /^responses\.yaml$/,
  parameters: /^parameters\.yaml$/,
  securitySchemes: /^openapi\.yaml$/,
}

const CHECK = '/paths/~1mobile-bff~1v1~1pix~1dict~1check~1'
const OUT = '/paths/~1mobile-bff~1v1~1pix~1out~1'

const PLACES = [
  { pointer: '', file: 'openapi.yaml', text: 'openapi: 3.1.0' },
  { pointer: '/paths', file: 'openapi.yaml', text: 'paths:' },
  { pointer: '/components/schemas', file: 'openapi.yaml', text: 'components:' },
  { pointer: '/tags/2', file: 'openapi.yaml', text: 'name: keys' },
  { pointer: CHECK, file: 'paths/keys.yaml', text: 'check:' },
  { pointer: `${CHECK}/post/tags/0`, file: 'paths/keys.yaml', text: 'tags: [keys]' },
  {
    pointer: `${CHECK}/post/responses/404/$ref`,
    file: 'paths/keys.yaml',
    text: "'404': { $ref: ../responses.yaml#/NotFound }",
  },
  {
    pointer: `${CHECK}/post/responses/200/content/application~1json/schema`,
    file: 'paths/keys.yaml',
    text: 'schema: { $ref: ../schemas/keys.yaml#/KeyCheck }',
  },
  { pointer: OUT, file: 'paths/transfers.yaml', text: 'out:' },
  { pointer: '/webhooks/transfer.settled', file: 'paths/webhooks.yaml', text: 'transferSettled:' },
  {
    pointer: '/webhooks/qrcode.paid/post/responses/2XX',
    file: 'paths/webhooks.yaml',
    text: '2XX: { $ref: ../responses.yaml#/EventReceived }',
  },
  {
    pointer: '/components/schemas/QrCodePaidEvent/properties/timestamp',
    file: 'schemas/webhooks.yaml',
    text: 'timestamp: *eventTimestamp',
  },
  {
    pointer: '/components/schemas/KeyCheck/properties/ispb',
    file: 'schemas/keys.yaml',
    text: 'ispb: { $ref: values.yaml#/Ispb }',
  },
  { pointer: '/components/schemas/KeyCheck/required/8', file: 'schemas/keys.yaml', text: '- ispb' },
]

for (const { pointer, file, text } of PLACES)
  it(`locates ${pointer} in ${file}: ${text}`, () => {
    expect(sources[pointer]?.split(':')[0]).toBe(file)
    expect(lineAt(pointer)).toContain(text)
  })

it('locates merged keys at their origin', () => {
  const own = '/components/examples/webhookPaused/value'
  expect(sources[`${own}/url`]).toBe(sources['/components/examples/webhook/value/url'])
  expect(sources[`${own}/status`]).not.toBe(sources['/components/examples/webhook/value/status'])
  expect(lineAt(`${own}/status`)).toContain('status: inactive')
})
