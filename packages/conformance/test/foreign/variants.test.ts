import { describe, expect, test } from 'vitest'
import type { Service } from '../in-process-transport.ts'
import { foundIn, ownedTodos } from './check-todos.ts'
import { conventions, withTheseConventions } from './conventions.ts'
import { body, errors, object, responseOf, todos } from './todos-contract.ts'
import { createTodos } from './todos-service.ts'

describe('ids that are counted per table', () => {
  test('are not mistaken for ids of another table', async () => {
    const { found, rule } = await foundIn({ contract: people, service: ownedTodos(people, { users: 500 }) })
    expect(found).toEqual([])
    expect(rule('record-changes').status).toBe('passed')
  })

  test('do not hide a change of another record', async () => {
    const { found } = await foundIn({
      contract: people,
      service: crossing(ownedTodos(people)),
      only: ['record-changes'],
    })
    expect(found).toContainEqual(expect.stringContaining('record-changes changeTodo'))
  })
})

describe('lists', () => {
  test('of shared records are not mistaken for own records', async () => {
    const { found, rule } = await foundIn({ contract: trade, service: withCurrencies(ownedTodos(trade)) })
    expect(found).toEqual([])
    expect(rule('foreign-list-hidden').status).toBe('passed')
  })

  test('of own and shared records are not either', async () => {
    const { found } = await foundIn({ service: withBuiltIn(ownedTodos()) })
    expect(found).toEqual([])
  })

  test('that show records of another partner are found', async () => {
    const service = createTodos(undefined, { isKnown: () => true })
    const { found } = await foundIn({ service, only: ['foreign-list-hidden'] })
    expect(found).toContainEqual(expect.stringContaining('foreign-list-hidden todos: Expected the'))
  })

  test('that are empty are inconclusive', async () => {
    const { rule } = await foundIn({
      service: withItems(ownedTodos(), () => []),
      only: ['foreign-list-hidden'],
    })
    expect(rule('foreign-list-hidden').status).toBe('not-assessed')
  })
})

/** The contract of todos, with a list of read-only records. */
const trade = {
  ...todos,
  paths: {
    ...todos.paths,
    '/currencies': {
      get: { operationId: 'currencies', responses: { 200: responseOf('Currencies'), ...errors(401) } },
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

/** Returns the same currencies to every caller. */
function withCurrencies(service: Service): Service {
  return async (request) => {
    const response = await service(request)
    const isList = new URL(request.url).pathname === '/currencies' && response.ok
    return isList ? Response.json([{ id: 1, code: 'BRL' }], response) : response
  }
}

/** Lists a built-in todo to every caller. */
function withBuiltIn(service: Service): Service {
  const builtIn = { id: 0, title: 'Read the guide', done: 'no' }
  return withItems(service, (items, { url }) => (url.includes('done=yes') ? items : [...items, builtIn]))
}

/** Changes the listed todos. */
function withItems(
  service: Service,
  change: (items: readonly unknown[], request: Request) => unknown,
): Service {
  return async (request) => {
    const response = await service(request)
    const isList = request.method === 'GET' && new URL(request.url).pathname === '/todos' && response.ok
    return isList ? Response.json(change((await response.json()) as unknown[], request)) : response
  }
}

describe('its own conventions', () => {
  test('are accepted if the contract has no assumptions of ours', async () => {
    const { found, rule } = await foundIn({
      contract: conventions,
      service: withTheseConventions(ownedTodos(conventions)),
    })
    expect(found).toEqual([])
    expect(rule('list-pages').status).toBe('passed')
  })
})

describe('a body', () => {
  test('may also be a form, if the contract says so', async () => {
    const { found, rule } = await foundIn({ contract: forms, service: takingForms(ownedTodos(forms)) })
    expect(found).toEqual([])
    expect(rule('body-format').status).toBe('passed')
  })

  test('of an undeclared type that is accepted is found', async () => {
    const { found } = await foundIn({ service: takingForms(ownedTodos()), only: ['body-format'] })
    expect(found).toContainEqual(
      expect.stringMatching(/^body-format addTodo: A request with the media type appl/),
    )
  })

  test('may be missing or null, if the contract says so', async () => {
    const { found, rule } = await foundIn({ contract: optional, service: forgiving(ownedTodos(optional)) })
    expect(found).toEqual([])
    expect(rule('body-format').status).toBe('passed')
  })

  test('that is required but not enforced is found', async () => {
    const { found } = await foundIn({ service: forgiving(ownedTodos()), only: ['body-format'] })
    expect(found).toContainEqual(expect.stringContaining('body-format changeTodo'))
  })
})

/** The contract of todos with other request bodies. */
function withBodies(change: (body: { content: Record<string, object> }) => object): typeof todos {
  return JSON.parse(JSON.stringify(todos, (name, value) => (name === 'requestBody' ? change(value) : value)))
}

const forms = withBodies(({ content, ...rest }) => ({
  ...rest,
  content: { ...content, 'application/x-www-form-urlencoded': content['application/json'] },
}))

const optional = withBodies(({ content }) => ({
  content: { 'application/json': nullable(content['application/json']) },
}))

function nullable(media: object = {}) {
  return { ...media, schema: { anyOf: [(media as { schema: object }).schema, { type: 'null' }] } }
}

/** Treats a form as JSON. */
function takingForms(service: Service): Service {
  return (request) => {
    const headers = new Headers(request.headers)
    if (headers.get('content-type') === 'application/x-www-form-urlencoded')
      headers.set('content-type', 'application/json')
    return service(new Request(request, { headers }))
  }
}

/** Replaces a missing or null body by a default. */
function forgiving(service: Service): Service {
  return async (request) => {
    const text = await request.clone().text()
    if (!/^(POST|PATCH)$/.test(request.method) || !['', 'null'].includes(text)) return service(request)
    const { url, method, headers } = request
    const body =
      request.method === 'PATCH'
        ? { done: 'yes' }
        : url.includes('users')
          ? { name: 'Fulano de Tal' }
          : { title: 'Buy bread' }
    return service(new Request(url, { method, headers, body: JSON.stringify(body) }))
  }
}

describe('a deletion', () => {
  test('that returns the deleted record is a deletion', async () => {
    const { found, rule } = await foundIn({ contract: showing, service: showingDeleted(ownedTodos(showing)) })
    expect(found).toEqual([])
    expect(rule('record-changes').status).toBe('passed')
  })

  test('that returns the record but does not delete it is found', async () => {
    const service = showingDeleted(ownedTodos(showing), { isKept: true })
    const { found } = await foundIn({ contract: showing, service, only: ['record-changes'] })
    expect(found).toContainEqual(expect.stringContaining('record-changes showTodo'))
  })

  test('may be shown by 410', async () => {
    const { found, rule } = await foundIn({
      contract: removing(404, 410),
      service: remembering(ownedTodos(), 410),
    })
    expect(found).toEqual([])
    expect(rule('record-changes').status).toBe('passed')
  })

  test('may be repeated if the contract does not define it', async () => {
    const contract = removing()
    const { found, rule } = await foundIn({ contract, service: remembering(ownedTodos(contract), 204) })
    expect(found).toEqual([])
    expect(rule('record-changes').status).toBe('passed')
  })

  test('that is repeated although the contract says 404 is found', async () => {
    const service = remembering(ownedTodos(), 204)
    const { found } = await foundIn({ service, only: ['record-changes'] })
    expect(found).toContainEqual(
      expect.stringContaining('removeTodo responded with 204 after the deletion; expected 404.'),
    )
  })
})

/** The contract of todos, whose deletion has other responses. */
function withRemoval(responses: object) {
  const { delete: remove, ...rest } = todos.paths[TODO]
  return { ...todos, paths: { ...todos.paths, [TODO]: { ...rest, delete: { ...remove, responses } } } }
}

const TODO = '/todos/{todoId}'

const showing = withRemoval({ 200: responseOf('Todo', 'What was deleted.'), ...errors(401, 404) })

/** Declares these refusals for deleted records. */
function removing(...statuses: number[]) {
  const { get, patch, ...rest } = withRemoval({
    204: { description: 'Removed.' },
    ...errors(401, ...statuses),
  }).paths[TODO]
  const more = (it: typeof get | typeof patch) => ({
    ...it,
    responses: { ...it.responses, ...errors(...statuses) },
  })
  const item = { ...rest, get: more(get), patch: more(patch) }
  return { ...todos, paths: { ...todos.paths, [TODO]: item } }
}

/** Responds to a deletion with the deleted record. */
function showingDeleted(service: Service, { isKept = false } = {}): Service {
  return async (request) => {
    if (request.method !== 'DELETE') return service(request)
    const { url, headers } = request
    const shown = await service(new Request(url, { headers }))
    const removed = isKept ? shown : await service(request)
    return removed.ok ? shown : removed
  }
}

/** Responds with 410 to requests for a deleted todo, or with 204 to deletions of a missing one. */
function remembering(service: Service, status: number): Service {
  const gone = new Set<string>()
  return async (request) => {
    const { pathname } = new URL(request.url)
    const key = `${request.headers.get('authorization')?.toLowerCase()} ${pathname}`
    const isOf =
      status === 204 ? request.method === 'DELETE' : /^(GET|HEAD|PATCH|DELETE)$/.test(request.method)
    const isAgain = isOf && (status === 204 || gone.has(key))
    const response = await service(request)
    if (request.method === 'DELETE' && response.ok) gone.add(key)
    if (!isAgain || response.status !== 404) return response
    return status === 204
      ? new Response(null, { status })
      : Response.json({ error: 'it is gone' }, { status })
  }
}

const PERSON = '/users/{userId}'

/** The contract of todos, with operations that update and delete users. */
const people = {
  ...todos,
  paths: {
    ...todos.paths,
    [PERSON]: {
      ...todos.paths[PERSON],
      patch: {
        operationId: 'changeUser',
        requestBody: body('NewUser', { name: 'Beltrana de Tal' }),
        responses: { 200: responseOf('User'), ...errors(400, 401, 404, 415) },
      },
      delete: {
        operationId: 'removeUser',
        responses: { 204: { description: 'Removed.' }, ...errors(401, 404) },
      },
    },
  },
}

/** Applies changes of a todo to the previous one. */
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
