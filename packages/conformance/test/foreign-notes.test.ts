import { expect, test } from 'vitest'
import { foundIn, ownedTodos } from './foreign/found.ts'
import { keepingNotes, notes } from './foreign/notes.ts'

const HELD = ['update-kept', 'visible-after-creation', 'deleted-not-listed', 'foreign-record-untouched']

test('finds nothing in a service of notes, and holds it to the laws of records', async () => {
  const { found, law } = await foundIn({ contract: notes, service: keepingNotes(ownedTodos(notes)) })
  expect(found).toEqual([])
  expect(HELD.filter((id) => law(id).status !== 'held')).toEqual([])
})

test.each(['gone-after-deletion showNote', 'deleted-not-listed notes'])(
  '%s finds a deletion that is none',
  async (place) => {
    const service = keepingNotes(ownedTodos(notes))
    const [law = ''] = place.split(' ')
    const { found } = await foundIn({
      contract: notes,
      service: async (request) =>
        request.method === 'DELETE' ? new Response(null, { status: 204 }) : service(request),
      only: [law],
    })
    expect(found).toContainEqual(expect.stringContaining(`${place}:`))
  },
)
