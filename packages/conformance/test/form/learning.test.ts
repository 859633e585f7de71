import { expect, test } from 'vitest'
import { ServiceForm } from '../../src/form/service-form.ts'
import { create, example, type Json, listUsers, readStory, type Step, update } from '../story.ts'

function showUser(status: string): Step {
  const [user] = example('partnerUsers').users as Json[]
  return listUsers({ users: [{ ...user, status }] })
}

test.each([{ shown: ['blocked', 'blocked'] }, { shown: ['blocked', 'frozen', 'frozen'] }])(
  'it learns nothing from the undeclared states $shown of a user',
  ({ shown }) => {
    const form = new ServiceForm()
    readStory(shown.map(showUser), { form })
    expect(form.learned).toEqual([])
  },
)

test('it learns nothing from an undeclared state that a request sends itself', () => {
  const form = new ServiceForm()
  readStory([create('webhook'), update({ status: 'disabled' })], { form })
  expect(form.learned).toEqual([])
})
