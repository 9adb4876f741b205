import { clsx } from 'clsx';

/** Joins class names; falsy ones fall away. Components keep their own classes free of conflicts with `className`. */
export const cx = clsx;
