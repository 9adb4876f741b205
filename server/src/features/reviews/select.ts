import { eq, getTableColumns } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { files, pictureColumns } from '../files/index.ts';
import { interactions } from '../interactions/index.ts';
import { personColumns, profiles } from '../profiles/index.ts';
import { reviews } from './tables.ts';

const creator = alias(profiles, 'creator');
const creatorPicture = alias(files, 'creator_picture');
const owner = alias(profiles, 'owner');
const ownerPicture = alias(files, 'owner_picture');
const picture = alias(files, 'picture');

/** Reviews with who wrote them, whom they are about, and their pictures, in one statement. */
export const selectReviews = (database: Database | Transaction) =>
  database
    .select({
      review: getTableColumns(reviews),
      planTitle: interactions.planTitle,
      creator: personColumns(creator),
      creatorPicture: pictureColumns(creatorPicture),
      owner: personColumns(owner),
      ownerPicture: pictureColumns(ownerPicture),
      picture: pictureColumns(picture),
    })
    .from(reviews)
    .innerJoin(interactions, eq(interactions.id, reviews.interactionId))
    .innerJoin(creator, eq(creator.id, reviews.creatorId))
    .innerJoin(owner, eq(owner.id, reviews.ownerId))
    .leftJoin(creatorPicture, eq(creatorPicture.id, creator.imageId))
    .leftJoin(ownerPicture, eq(ownerPicture.id, owner.imageId))
    .leftJoin(picture, eq(picture.id, reviews.imageId))
    .$dynamic();
