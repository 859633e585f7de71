import { expect, it } from 'vitest'
import { requireGuides, sortGuides } from '../build/guide-groups.ts'

const GROUPS = { Start: ['getting-started'], Pay: ['paying-a-key', 'errors'] }
const ERRORS = { path: 'guides/errors.md', section: 'guides' }
const PAYING = { path: 'guides/paying-a-key.md', section: 'guides' }
const STARTING = { path: 'guides/getting-started.md', section: 'guides' }
const FIELDS = { path: 'fields.md', section: 'fields' }

it('sorts guides by their groups, and in each by their order', () => {
  expect(sortGuides([ERRORS, PAYING, STARTING], GROUPS)).toEqual([STARTING, PAYING, ERRORS])
})

it('names the guide that is in no group', () => {
  const added = { path: 'guides/added.md', section: 'guides' }
  expect(() => requireGuides([STARTING, PAYING, ERRORS, added, FIELDS], GROUPS)).toThrow(
    'docs/navigation.yaml: expected guides/added.md in one of the groups',
  )
})

it('names the entry that is no guide', () => {
  expect(() => requireGuides([STARTING, PAYING, FIELDS], GROUPS)).toThrow(
    'docs/navigation.yaml: guides/errors.md is no page, expected a guide',
  )
})
