import { describe, expect, test } from 'vitest'
import { foundIn, ownedTodos } from './foreign/found.ts'
import { habits, withTheseHabits } from './foreign/habits.ts'
import type { Service } from './wire.ts'

/** The contract of pages, whose ids have a name of their own. */
const named: typeof habits = JSON.parse(
  JSON.stringify(habits)
    .replaceAll('"id":{', '"todoId":{')
    .replaceAll('"required":["id"', '"required":["todoId"'),
)
const right = () => renaming(withTheseHabits(ownedTodos(habits)))

function renaming(service: Service): Service {
  return async (request) => {
    const reply = await service(request)
    if (reply.status === 204) return reply
    const text = (await reply.text()).replaceAll('"id":', '"todoId":')
    return new Response(text, reply)
  }
}

const HELD = [
  'pages-disjoint-and-complete',
  'filter-sound',
  'filter-complete',
  'refused-change-leaves-no-trace',
]

test('finds nothing in pages of records whose ids have a name of their own', async () => {
  const { found, rule } = await foundIn({ contract: named, service: right() })
  expect(found).toEqual([])
  expect(HELD.filter((id) => rule(id).status !== 'passed')).toEqual([])
})

describe('finds', () => {
  test('a page that is the one before again', async () => {
    const fault = paging((query) => query.delete('cursor'))
    expect(await found(fault, 'pages-disjoint-and-complete')).toContainEqual(
      expect.stringContaining('pages-disjoint-and-complete todos: Expected no record on two pages'),
    )
  })

  test('pages that leave a record out', async () => {
    const fault = paging((query) => {
      if (query.has('cursor')) query.set('cursor', String(Number(query.get('cursor')) + 1))
    })
    expect(await found(fault, 'pages-disjoint-and-complete')).toContainEqual(
      expect.stringMatching(/^pages-disjoint-and-complete todos: Expected every record on some page/),
    )
  })

  test('a filter that leaves all out', async () => {
    const fault = paging((query) => {
      if (query.has('done')) query.set('done', 'yes')
    })
    expect(await found(fault, 'filter-complete')).toContainEqual(
      expect.stringContaining('filter-complete todos: Expected the record that has this done'),
    )
  })
})

describe('does not count as held', () => {
  test('pages that are refused', async () => {
    const refusing = refused((query) => query.get('limit') === '2')
    expect(await status(refusing, 'pages-disjoint-and-complete')).toBe('not-assessed')
  })

  test('a filter beside another that is refused', async () => {
    const contract = withFilter(named)
    const only = ['filter-sound']
    const service = refused((query) => query.has('done') && query.has('title'))
    const { rule } = await foundIn({ contract, service, only })
    expect(rule('filter-sound')).toMatchObject({ status: 'passed', masked: 2 })
  })
})

/** A list that is filtered by a title as well. */
function withFilter(contract: typeof habits) {
  const { get, ...rest } = contract.paths['/todos']
  const title = { name: 'title', in: 'query', schema: { type: 'string', minLength: 1, maxLength: 80 } }
  const list = { ...get, parameters: [...get.parameters, title] }
  return { ...contract, paths: { ...contract.paths, '/todos': { ...rest, get: list } } }
}

/** The list as it is asked for with other parameters. */
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
