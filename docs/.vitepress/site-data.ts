import { readFileSync } from 'node:fs'
import type { Assumptions } from '../build/marks.ts'
import type { Page } from '../build/pages.ts'

/** What `build/site.ts` writes beside the pages. */
interface SiteData {
  readonly version: string
  /** Undefined once it is released. */
  readonly nextVersion?: string
  readonly pages: readonly Omit<Page, 'text'>[]
  readonly assumptions: Assumptions
}

export const site: SiteData = JSON.parse(
  readFileSync(new URL('../.pages/site.json', import.meta.url), 'utf8'),
)
