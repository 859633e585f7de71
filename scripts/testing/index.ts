export type { Browser, BrowserContext, Page, Route } from 'playwright-core'
export { launch } from './launch.ts'
