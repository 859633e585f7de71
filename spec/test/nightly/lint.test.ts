import { breaks, testBreaks } from '../broken.ts'

testBreaks(breaks)
