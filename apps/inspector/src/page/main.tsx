import { render } from 'preact';
import { serveEngine } from './engine/worker.ts';
import { App } from './view/app.tsx';
import { startTheme } from './view/theme.ts';

// The page runs its script a second time as a worker, which has no document.
if (typeof document === 'undefined') serveEngine();
else {
  const script = document.currentScript?.textContent ?? '';
  startTheme();
  const root = document.getElementById('app');
  if (root !== null) render(<App script={script} />, root);
}
