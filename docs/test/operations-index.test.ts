import { beforeAll, describe, expect, it } from 'vitest'
import { eventsOf, inline, operationsOf } from '../build/contract.ts'
import { operationsIndex } from '../build/operations-index.ts'
import { behaviour, contract, readSite, type Site } from './site.ts'

const operations = operationsOf(contract, behaviour)
const { text } = operationsIndex(inline(contract), behaviour)

let site: Site
beforeAll(async () => {
  site = await readSite()
})

describe.each(operations)('$id', ({ id, method, path, effect }) => {
  it('has one row, with its request, its effect and whose token it takes', () => {
    const rows = text.split('\n').filter((line) => line.includes(`/${id}.md)`))
    expect(rows).toHaveLength(1)
    expect(rows[0]).toContain(`| \`${method} ${path}\` | ${effect} |`)
    expect(rows[0]).toMatch(/\| (?:partner|partner or customer|none: client key and secret) \|/)
  })
})

it.each(eventsOf(contract))('names an operation that $path follows', ({ path }) => {
  expect(text).toContain(`{{event:${path}}}`)
})

it('marks each column that is assumed', () => {
  const head = text.split('\n').find((line) => line.startsWith('| Operation |'))
  const marks = Array.from(head?.matchAll(/\{\{assumption:([\w-]+)\}\}/g) ?? [], ([, id]) => id)
  expect(marks).toEqual(['effects', 'token-permissions', 'event-kinds'])
})

it('is what the page of the reference shows until Redoc is loaded', () => {
  const html = site.pages.get('reference.html') ?? ''
  expect(html).toMatch(/Loading the reference \(\d\.\d MB\)…/)
  for (const { id } of operations) expect(html).toContain(`operations/${id}.html"`)
})
