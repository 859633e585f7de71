import { expect, test } from 'vitest'
import { foundIn, ownedTodos } from './check-todos.ts'
import { notes, withNotes } from './notes.ts'

const PASSED = ['record-changes', 'record-shown', 'foreign-record-untouched']

test('finds nothing in a service of notes, and assesses the rules about records', async () => {
  const { found, rule } = await foundIn({ contract: notes, service: withNotes(ownedTodos(notes)) })
  expect(found).toEqual([])
  expect(PASSED.filter((id) => rule(id).status !== 'passed')).toEqual([])
})

test.each(['record-changes showNote', 'record-changes notes'])(
  '%s finds a deletion that is none',
  async (place) => {
    const service = withNotes(ownedTodos(notes))
    const [rule = ''] = place.split(' ')
    const { found } = await foundIn({
      contract: notes,
      service: async (request) =>
        request.method === 'DELETE' ? new Response(null, { status: 204 }) : service(request),
      only: [rule],
    })
    expect(found).toContainEqual(expect.stringContaining(`${place}:`))
  },
)
