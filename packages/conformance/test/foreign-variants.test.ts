import { describe, expect, test } from 'vitest'
import { answer, body, errors, todos } from './foreign/contract.ts'
import { foundIn, ownedTodos } from './foreign/found.ts'
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
