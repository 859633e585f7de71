curl "$BASE_URL/mobile-bff/v1/partner/webhook" \
  --header "authorization: Bearer $ACCESS_TOKEN" \
  --header 'content-type: application/json' \
  --data '{
    "type": "all",
    "url": "https://partner.example.com/pix/events"
  }'
