import { framerBigline } from './framer-bigline.ts';
import { framerGrid } from './framer-grid.ts';
import { framerUnicode } from './framer-unicode.ts';
import { runSuites } from './run-suites.ts';
import { stringify } from './stringify.ts';
import { validate } from './validate.ts';
import { validateCold } from './validate-cold.ts';

await runSuites(
  {
    'framer-grid': framerGrid,
    'framer-bigline': framerBigline,
    'framer-unicode': framerUnicode,
    stringify,
    validate,
    'validate-cold': validateCold,
  },
  process.argv.slice(2),
);
