import { expect, test } from 'vitest'
import { replay } from '../../src/history.ts'
import { createReader, type ReadOptions } from '../../src/read.ts'
import { rules } from '../../src/rules/index.ts'
import { CONTRACT, signIn } from './call.ts'
import { inOrder, type Step, type Story } from './story.ts'

/** A story, and what the checker finds in it. */
export interface Row {
  /** A sentence: what the test shows. */
  readonly title: string
  readonly story: readonly Step[]
  /** The findings as `rule@operation`, sorted. */
  readonly finds: readonly string[]
}

/** Adds a test for each story, which expects its findings. */
export function expectFindings(rows: readonly Row[]): void {
  expectFindingsWith({}, rows)
}

/** The same with options of the reader. */
export function expectFindingsWith(options: Partial<ReadOptions>, rows: readonly Row[]): void {
  for (const { title, story, finds } of rows) {
    test(title, () => {
      expect(findings(story, options)).toEqual(finds)
    })
  }
}

/** The findings of a story as `rule@operation`, each once, sorted. */
export function findings(steps: readonly Step[], options?: Partial<ReadOptions>): string[] {
  const summary = readStory(steps, options)
  const places = summary.findings.map(({ rule, operation = 'all' }) => `${rule}@${operation}`)
  return [...new Set(places)].sort()
}

/** Without the rule of images: that of an example holds the code of the example, and no other one. */
const RULES_OF_STORIES = rules.filter(({ id }) => id !== 'codes-images')

/** Reads a story in which the partner, a customer of it and another partner are signed in. */
export function readStory(steps: readonly Step[], options: Partial<ReadOptions> = {}) {
  const story: Story = { now: START, events: [], records: [], count: 0 }
  inOrder(signIn('partner'), signIn('other'), signIn('customer'), ...steps)(story)
  const reader = createReader({
    contract: CONTRACT,
    isComplete: true,
    lagMs: 0,
    rules: RULES_OF_STORIES,
    ...options,
  })
  replay(story.events, reader.history)
  return reader.endHistory()
}

/** The time of the examples, which some of their values name. */
const START = Date.parse('2026-11-02T14:30:00Z')
