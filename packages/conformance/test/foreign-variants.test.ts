import { describe, expect, test } from 'vitest'
import { answer, body, errors, object, todos } from './foreign/contract.ts'
import { foundIn, ownedTodos } from './foreign/found.ts'
import { createTodos } from './foreign/service.ts'
import type { Service } from './wire.ts'

describe('ids that are counted for each table', () => {
  test('are no ids of another table, though they lead to a record there', async () => {
    const { found, law } = await foundIn({ contract: people, service: ownedTodos(people, { users: 500 }) })
    expect(found).toEqual([])
    expect(law('other-records-untouched').status).toBe('held')
  })

  test('hide no change of another record', async () => {
    const { found } = await foundIn({
      contract: people,
      service: crossing(ownedTodos(people)),
      only: ['other-records-untouched'],
    })
    expect(found).toContainEqual(expect.stringContaining('other-records-untouched changeTodo'))
  })
})

describe('lists', () => {
  test('of what is there for all are not taken for a partner’s own', async () => {
    const { found, law } = await foundIn({ contract: trade, service: withCurrencies(ownedTodos(trade)) })
    expect(found).toEqual([])
    expect(law('foreign-list-hidden').status).toBe('held')
  })

  test('of records that beside one’s own have some for all are not either', async () => {
    const { found } = await foundIn({ service: withBuiltIn(ownedTodos()) })
    expect(found).toEqual([])
  })

  test('that show what another partner made are found', async () => {
    const service = createTodos(undefined, { isKnown: () => true })
    const { found } = await foundIn({ service, only: ['foreign-list-hidden'] })
    expect(found).toContainEqual(expect.stringContaining('foreign-list-hidden todos: Expected the'))
  })

  test('that show nothing tell nothing', async () => {
    const { law } = await foundIn({
      service: withItems(ownedTodos(), () => []),
      only: ['foreign-list-hidden'],
    })
    expect(law('foreign-list-hidden').status).toBe('not-assessed')
  })
})

/** The contract of todos, with a list that nobody makes. */
const trade = {
  ...todos,
  paths: {
    ...todos.paths,
    '/currencies': {
      get: { operationId: 'currencies', responses: { 200: answer('Currencies'), ...errors(401) } },
    },
  },
  components: {
    ...todos.components,
    schemas: {
      ...todos.components.schemas,
      Currencies: { type: 'array', items: object({ id: { type: 'integer' }, code: { type: 'string' } }) },
    },
  },
}

/** Has the same currencies for everyone whom it lets in. */
function withCurrencies(service: Service): Service {
  return async (request) => {
    const answer = await service(request)
    const isList = new URL(request.url).pathname === '/currencies' && answer.ok
    return isList ? Response.json([{ id: 1, code: 'BRL' }], answer) : answer
  }
}

/** Lists a todo of nobody's to everyone. */
function withBuiltIn(service: Service): Service {
  const builtIn = { id: 0, title: 'Read the guide', done: 'no' }
  return withItems(service, (items, { url }) => (url.includes('done=yes') ? items : [...items, builtIn]))
}

/** Lists other todos. */
function withItems(
  service: Service,
  change: (items: readonly unknown[], request: Request) => unknown,
): Service {
  return async (request) => {
    const answer = await service(request)
    const isList = request.method === 'GET' && new URL(request.url).pathname === '/todos' && answer.ok
    return isList ? Response.json(change((await answer.json()) as unknown[], request)) : answer
  }
}

const PERSON = '/users/{userId}'

/** The contract of todos, whose users can be changed and deleted too. */
const people = {
  ...todos,
  paths: {
    ...todos.paths,
    [PERSON]: {
      ...todos.paths[PERSON],
      patch: {
        operationId: 'changeUser',
        requestBody: body('NewUser', { name: 'Beltrana de Tal' }),
        responses: { 200: answer('User'), ...errors(400, 401, 404, 415) },
      },
      delete: {
        operationId: 'removeUser',
        responses: { 204: { description: 'Removed.' }, ...errors(401, 404) },
      },
    },
  },
}

/** What changes a todo changes the one before it. */
function crossing(service: Service): Service {
  return async (request) => {
    const [, id] = /\/todos\/(\d+)$/.exec(request.url) ?? []
    if (request.method === 'PATCH' && id !== undefined) {
      const url = request.url.replace(/\d+$/, String(Number(id) - 1))
      await service(new Request(url, request.clone()))
    }
    return service(request)
  }
}
