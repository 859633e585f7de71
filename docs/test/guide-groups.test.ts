import { expect, it } from 'vitest'
import { placeGuides } from '../build/guide-groups.ts'

const GROUPS = { Start: ['getting-started'], Pay: ['paying-a-key', 'errors'] }
const ERRORS = { path: 'guides/errors.md' }
const PAYING = { path: 'guides/paying-a-key.md' }
const STARTING = { path: 'guides/getting-started.md' }

it('sorts guides by their groups, and in each by their order', () => {
  expect(placeGuides([ERRORS, PAYING, STARTING], GROUPS)).toEqual([
    { ...STARTING, group: 'Start' },
    { ...PAYING, group: 'Pay' },
    { ...ERRORS, group: 'Pay' },
  ])
})

it('names the guide that is in no group', () => {
  const added = { path: 'guides/added.md' }
  expect(() => placeGuides([STARTING, PAYING, ERRORS, added], GROUPS)).toThrow(
    'docs/navigation.yaml: expected guides/added.md in one of the groups',
  )
})

it('names the guide that is in two groups', () => {
  const groups = { ...GROUPS, Reference: ['errors'] }
  expect(() => placeGuides([STARTING, PAYING, ERRORS], groups)).toThrow(
    'docs/navigation.yaml: expected guides/errors.md once, got it twice',
  )
})

it('names the entry that is no guide', () => {
  expect(() => placeGuides([STARTING, PAYING], GROUPS)).toThrow(
    'docs/navigation.yaml: guides/errors.md is no page, expected a guide',
  )
})
