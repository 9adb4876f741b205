import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { Button } from './Button.tsx';

afterEach(cleanup);

it('says why it is disabled, stays focusable, and does nothing', () => {
  const onClick = vi.fn();
  const onSubmit = vi.fn((event) => event.preventDefault());
  render(
    <form onSubmit={onSubmit}>
      <Button type="submit" disabledReason="Tick the terms first." onClick={onClick}>
        Send Request
      </Button>
    </form>,
  );
  const button = screen.getByRole('button', { name: 'Send Request' });
  const reason = document.getElementById(button.getAttribute('aria-describedby') ?? '');
  expect(reason?.textContent).toBe('Tick the terms first.');
  button.focus();
  expect(document.activeElement).toBe(button);
  fireEvent.click(button);
  expect(onClick).not.toHaveBeenCalled();
  expect(onSubmit).not.toHaveBeenCalled();
});

it('ignores clicks while pending and says what it is doing', () => {
  const onClick = vi.fn();
  render(
    <Button pending pendingLabel="Creating..." onClick={onClick}>
      Create
    </Button>,
  );
  const button = screen.getByRole('button', { name: 'Creating...' });
  fireEvent.click(button);
  expect(onClick).not.toHaveBeenCalled();
  expect(button.getAttribute('aria-busy')).toBe('true');
});

it('works otherwise', () => {
  const onClick = vi.fn();
  render(
    <Button disabledReason={null} onClick={onClick}>
      Create
    </Button>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Create' }));
  expect(onClick).toHaveBeenCalledOnce();
});
