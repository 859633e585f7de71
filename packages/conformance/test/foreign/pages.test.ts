import { describe, expect, test } from 'vitest'
import type { Service } from '../in-process-transport.ts'
import { foundIn, ownedTodos } from './check-todos.ts'
import { conventions, withTheseConventions } from './conventions.ts'

/** The contract of pages, with a custom name for ids. */
const named: typeof conventions = JSON.parse(
  JSON.stringify(conventions)
    .replaceAll('"id":{', '"todoId":{')
    .replaceAll('"required":["id"', '"required":["todoId"'),
)
const right = () => renaming(withTheseConventions(ownedTodos(conventions)))

function renaming(service: Service): Service {
  return async (request) => {
    const response = await service(request)
    if (response.status === 204) return response
    const text = (await response.text()).replaceAll('"id":', '"todoId":')
    return new Response(text, response)
  }
}

const PASSED = ['list-pages', 'record-shown', 'record-changes']

test('finds nothing in pages of records with a custom name for ids', async () => {
  const { found, rule } = await foundIn({ contract: named, service: right() })
  expect(found).toEqual([])
  expect(PASSED.filter((id) => rule(id).status !== 'passed')).toEqual([])
})

describe('finds', () => {
  test('a repeated page', async () => {
    const fault = paging((query) => query.delete('cursor'))
    expect(await found(fault, 'list-pages')).toContainEqual(
      expect.stringContaining('list-pages todos: todos with limit 2 shows a record on two pages'),
    )
  })

  test('pages with a missing record', async () => {
    const fault = paging((query) => {
      if (query.has('cursor')) query.set('cursor', String(Number(query.get('cursor')) + 1))
    })
    expect(await found(fault, 'list-pages')).toContainEqual(
      expect.stringMatching(/^list-pages todos: todos with limit 2 leaves out \d+ records/),
    )
  })

  test('a filter that returns nothing', async () => {
    const fault = paging((query) => {
      if (query.has('done')) query.set('cursor', '10000')
    })
    expect(await found(fault, 'list-pages')).toContainEqual(
      expect.stringContaining('list-pages todos: todos filtered by done leaves out'),
    )
  })

  test('a filter by another value than was requested', async () => {
    const fault = paging((query) => {
      if (query.has('done')) query.set('done', 'yes')
    })
    expect(await found(fault, 'list-pages')).toContainEqual(
      expect.stringContaining('list-pages todos: todos filtered by done shows records with other values'),
    )
  })
})

describe('does not count as passed', () => {
  test('pages that are refused', async () => {
    expect(
      await status(
        refused(() => true),
        'list-pages',
      ),
    ).toBe('not-assessed')
  })

  test('a filter, if another filter is refused', async () => {
    const contract = withFilter(named)
    const only = ['list-pages']
    const service = refused((query) => query.has('done') && query.has('title'))
    const { rule } = await foundIn({ contract, service, only })
    expect(rule('list-pages')).toMatchObject({ status: 'passed', inconclusive: expect.any(Number) })
  })
})

/** A list that also has a filter by title. */
function withFilter(contract: typeof conventions) {
  const { get, ...rest } = contract.paths['/todos']
  const title = { name: 'title', in: 'query', schema: { type: 'string', minLength: 1, maxLength: 80 } }
  const list = { ...get, parameters: [...get.parameters, title] }
  return { ...contract, paths: { ...contract.paths, '/todos': { ...rest, get: list } } }
}

/** Changes the query of list requests. */
function paging(change: (query: URLSearchParams) => void): Service {
  const service = right()
  return (request) => {
    const url = new URL(request.url)
    if (request.method === 'GET') change(url.searchParams)
    return service(new Request(url, request))
  }
}

function refused(isMeant: (query: URLSearchParams) => boolean): Service {
  const service = right()
  const body = { type: 'about:blank', status: 400 }
  const headers = { 'content-type': 'application/problem+json' }
  return async (request) => {
    if (!isMeant(new URL(request.url).searchParams)) return service(request)
    return Response.json(body, { status: 400, headers })
  }
}

async function found(service: Service, rule: string) {
  return (await foundIn({ contract: named, service, only: [rule] })).found
}

async function status(service: Service, rule: string) {
  return (await foundIn({ contract: named, service, only: [rule] })).rule(rule).status
}
